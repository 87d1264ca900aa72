import { useQuery } from "@connectrpc/connect-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { textFor } from "#foundation/languages/message.js";
import {
  WebhookAttemptOutcome,
  type WebhookEndpoint,
  WebhookEndpointState,
} from "#gen/learning_credentials/v1/webhook_pb.js";
import { WebhookService } from "#gen/learning_credentials/v1/webhook_service_pb.js";
import { Button } from "../components/button.js";
import { Fact } from "../components/fact.js";
import { Failure } from "../components/failure.js";
import { lazily } from "../components/lazily.js";
import { PageTitle } from "../components/page-title.js";
import { useChange } from "../components/use-change.js";
import { useChapter, useFormats, useList, useWords } from "../i18n/words.js";
import { AttemptList } from "./attempt-list.js";
import { EndpointState } from "./endpoint-state.js";

const RemovalDialog = lazily(() => import("../components/removal-dialog.js"), "RemovalDialog");
const ReplayDialog = lazily(() => import("./replay-dialog.js"), "ReplayDialog");
const RotateDialog = lazily(() => import("./rotate-dialog.js"), "RotateDialog");

const REFRESH_MS = 5_000;

export function WebhookPage() {
  const { shell } = useWords();
  const { id } = useParams({ from: "/webhooks/$id" });
  const found = useQuery(
    WebhookService.method.getWebhookEndpoint,
    { id },
    { refetchInterval: ({ state }) => state.data !== undefined && REFRESH_MS },
  );
  return (
    <section className="page">
      <p className="crumbs">
        <Link to="/webhooks">{shell.webhooks}</Link>
      </p>
      <PageTitle title={found.data?.description || found.data?.url || shell.webhooks} />
      {found.error && <Failure error={found.error} onRetry={() => void found.refetch()} />}
      {found.data && (
        <>
          <Acts endpoint={found.data} />
          <EndpointFacts endpoint={found.data} />
          <AttemptList id={id} />
        </>
      )}
    </section>
  );
}

function Acts({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const { id, state } = endpoint;
  const words = useChapter("webhooks");
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<"replay" | "rotate" | "delete">();
  const close = () => setDialog(undefined);
  const test = useChange(WebhookService.method.sendTestWebhook);
  const pause = useChange(WebhookService.method.pauseWebhookEndpoint);
  const enable = useChange(WebhookService.method.enableWebhookEndpoint);
  const isEnabled = state === WebhookEndpointState.ENABLED;
  const error = test.error ?? pause.error ?? enable.error;
  return (
    <>
      <div className="actions">
        <Button variant="primary" isDisabled={test.isPending} onPress={() => test.mutate({ id })}>
          {words.test}
        </Button>
        {isEnabled ? (
          <Button isDisabled={pause.isPending} onPress={() => pause.mutate({ id })}>
            {words.pause}
          </Button>
        ) : (
          <Button isDisabled={enable.isPending} onPress={() => enable.mutate({ id })}>
            {words.enable}
          </Button>
        )}
        <Button onPress={() => setDialog("replay")}>{words.replay}</Button>
        <Button onPress={() => setDialog("rotate")}>{words.rotate}</Button>
        <Button className="button-warning" onPress={() => setDialog("delete")}>
          {words.remove}
        </Button>
      </div>
      {error && <Failure error={error} />}
      <div role="status">
        {test.isPending && <p>{words.testing}</p>}
        {test.data && !test.isPending && <TestAnswer {...test.data} />}
      </div>
      {dialog === "replay" && <ReplayDialog endpoint={endpoint} onClose={close} />}
      {dialog === "rotate" && <RotateDialog id={id} onClose={close} />}
      {dialog === "delete" && (
        <RemovalDialog
          label={words.removeNow}
          what={endpoint.url}
          means={words.removeMeans}
          method={WebhookService.method.deleteWebhookEndpoint}
          request={{ id }}
          commands={[["webhooks", "delete", id]]}
          onRemoved={() => navigate({ to: "/webhooks", replace: true })}
          onClose={close}
        />
      )}
    </>
  );
}

function TestAnswer({
  outcome,
  status,
  durationMs,
  error,
  answer,
}: {
  readonly outcome: WebhookAttemptOutcome;
  readonly status: number;
  readonly durationMs: number;
  readonly error: string;
  readonly answer: string;
}) {
  const words = useChapter("webhooks");
  const { colon, milliseconds } = useFormats();
  const isAccepted = outcome === WebhookAttemptOutcome.DELIVERED;
  return (
    <div className={isAccepted ? "notice notice-good" : "notice notice-bad"}>
      <p className="notice-heading">{isAccepted ? words.accepted : words.notAccepted}</p>
      <p>
        {words.status}
        {colon}
        {status || "–"} · {words.duration}
        {colon}
        <bdi>{milliseconds(durationMs)}</bdi>
      </p>
      {error !== "" && (
        <p lang="en" dir="ltr">
          {error}
        </p>
      )}
      {answer !== "" && (
        <p className="small">
          {words.answer}
          {colon}
          <code>{answer}</code>
        </p>
      )}
    </div>
  );
}

function EndpointFacts({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const words = useChapter("webhooks");
  const { events, parts, shell } = useWords();
  const list = useList();
  const { moment, number } = useFormats();
  const {
    failureStartTime: failingSince,
    nextAttemptTime,
    lastSuccessTime,
    createTime,
    previousSecretExpireTime,
  } = endpoint;
  const types = list(endpoint.eventTypes.map((type) => textFor(events.types, type) ?? events.unknown));
  return (
    <dl className="facts card">
      <Fact label={words.state}>
        <EndpointState of={endpoint.state} />
        {endpoint.stateReason !== "" && (
          <span className="second" lang="en" dir="ltr">
            {endpoint.stateReason}
          </span>
        )}
      </Fact>
      <Fact label={words.url}>
        <code dir="ltr">{endpoint.url}</code>
      </Fact>
      <Fact label={shell.events}>{types || parts.all}</Fact>
      <Fact label={words.delivered}>{String(endpoint.deliveredUpTo)}</Fact>
      <Fact label={words.waiting}>{number(Number(endpoint.lag))}</Fact>
      <Fact label={words.lastSuccess}>{lastSuccessTime ? moment(lastSuccessTime) : words.never}</Fact>
      {failingSince && <Fact label={words.failingSince}>{moment(failingSince)}</Fact>}
      {failingSince && nextAttemptTime && <Fact label={words.nextAttempt}>{moment(nextAttemptTime)}</Fact>}
      {endpoint.contact !== "" && (
        <Fact label={words.contact}>
          <bdi>{endpoint.contact}</bdi>
        </Fact>
      )}
      {previousSecretExpireTime && (
        <Fact label={words.secret}>{words.bothSign({ time: moment(previousSecretExpireTime) })}</Fact>
      )}
      <Fact label={words.created}>{createTime && moment(createTime)}</Fact>
      <Fact label={words.createdBy}>
        <bdi>{endpoint.createdBy}</bdi>
      </Fact>
    </dl>
  );
}
