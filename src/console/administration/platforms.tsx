import { useQuery } from "@connectrpc/connect-query";
import { useState } from "react";
import { textFor } from "#foundation/languages/message.js";
import { Role } from "#gen/learning_credentials/options/v1/options_pb.js";
import {
  type LtiDeployment,
  type LtiPlatform,
  LtiRosterMode,
  LtiService,
  LtiState,
} from "#gen/learning_credentials/v1/lti_service_pb.js";
import { Button } from "../components/button.js";
import { Empty } from "../components/empty.js";
import { Fact } from "../components/fact.js";
import { Failure } from "../components/failure.js";
import { WaitingIcon } from "../components/icons.js";
import { isolated } from "../components/isolated.js";
import { lazily } from "../components/lazily.js";
import { StateMark, type StatusAppearance } from "../components/status.js";
import { useChange } from "../components/use-change.js";
import { useChapter, useFormats, useList, useWords } from "../i18n/words.js";
import { CheckList } from "./check-list.js";
import { bad, good } from "./looks.js";
import { ProblemList } from "./problem-list.js";
import { ProgramSteps } from "./program-steps.js";
import type { RoleName } from "./roles.js";

const RegisterDialog = lazily(() => import("./register-dialog.js"), "RegisterDialog");
const LtiKeyDialog = lazily(() => import("./lti-key-dialog.js"), "LtiKeyDialog");
const AcceptDialog = lazily(() => import("./accept-dialog.js"), "AcceptDialog");
const ShownOnce = lazily(() => import("../components/shown-once.js"), "ShownOnce");
const RemovalDialog = lazily(() => import("../components/removal-dialog.js"), "RemovalDialog");

const REFRESH_MS = 15_000;

const rosterNames = {
  [LtiRosterMode.UNSPECIFIED]: "none",
  [LtiRosterMode.LISTED]: "listed",
  [LtiRosterMode.COMPLETE]: "whole",
} as const;

const waiting: StatusAppearance = { tone: "warn", Icon: WaitingIcon };
const appearances: Partial<Record<LtiState, StatusAppearance>> = {
  [LtiState.ACCEPTED]: good,
  [LtiState.REFUSED]: bad,
};

export function Platforms({ connectors }: { readonly connectors: readonly string[] }) {
  const { connections: words } = useChapter("administration");
  const { lti } = useChapter("connecting");
  const [dialog, setDialog] = useState<"register" | "key">();
  const close = () => setDialog(undefined);
  const found = useQuery(
    LtiService.method.listLtiPlatforms,
    {},
    { refetchInterval: ({ state }) => state.data !== undefined && REFRESH_MS },
  );
  const invite = useChange(LtiService.method.createLtiInvitation, undefined, { gcTime: 0 });
  return (
    <>
      <div className="actions">
        <Button isDisabled={invite.isPending} onPress={() => invite.mutate({})}>
          {words.invite}
        </Button>
        <Button onPress={() => setDialog("register")}>{lti.register}</Button>
        <Button onPress={() => setDialog("key")}>{lti.rotate}</Button>
      </div>
      {dialog === "register" && <RegisterDialog onClose={close} />}
      {dialog === "key" && <LtiKeyDialog onClose={close} />}
      {found.error && <Failure error={found.error} onRetry={() => void found.refetch()} />}
      {invite.error && <Failure error={invite.error} />}
      {found.data?.platforms.length === 0 && <Empty title={words.noPlatforms} />}
      {found.data?.platforms.map((platform) => (
        <PlatformCard key={platform.id} platform={platform} connectors={connectors} />
      ))}
      {invite.data && (
        <ShownOnce
          title={words.invitation}
          means={words.inviteMeans}
          secret={invite.data.url}
          onClose={invite.reset}
        >
          <ProgramSteps of={{ moodle: lti.where.moodle, canvas: lti.where.canvas }} />
        </ShownOnce>
      )}
    </>
  );
}

function PlatformCard({
  platform,
  connectors,
}: {
  readonly platform: LtiPlatform;
  readonly connectors: readonly string[];
}) {
  const { connections: words } = useChapter("administration");
  const { colon } = useFormats();
  const [dialog, setDialog] = useState<"accept" | "remove">();
  const { lti } = useChapter("connecting");
  const refuse = useChange(LtiService.method.refuseLtiPlatform);
  const check = useChange(LtiService.method.checkLtiPlatform);
  const { id, state, settings, rosters, columns } = platform;
  const title = settings?.name || settings?.issuer || String(id);
  const isAccepted = state === LtiState.ACCEPTED;
  const close = () => setDialog(undefined);
  return (
    <section className="card padded stack" aria-label={`${words.platforms}${colon}${title}`}>
      <h3>
        <bdi>{title}</bdi>
      </h3>
      <PlatformFacts platform={platform} />
      <ProblemList of={[...(rosters?.problems ?? []), ...(columns?.problems ?? [])]} />
      {platform.deployments.map((deployment) => (
        <Deployment key={deployment.deploymentId} platformId={id} place={deployment} />
      ))}
      {refuse.error && <Failure error={refuse.error} />}
      <div role="status">
        {check.error && <Failure error={check.error} />}
        {check.data && <CheckList of={check.data.checks} words={lti.check} />}
      </div>
      <div className="actions">
        <Button
          aria-label={`${words.check} ${title}`}
          isDisabled={check.isPending}
          onPress={() => check.mutate({ id })}
        >
          {words.check}
        </Button>
        <Button variant={isAccepted ? "plain" : "primary"} onPress={() => setDialog("accept")}>
          {isAccepted ? words.change : words.accept}
        </Button>
        {state !== LtiState.REFUSED && (
          <Button isDisabled={refuse.isPending} onPress={() => refuse.mutate({ id })}>
            {words.refuse}
          </Button>
        )}
        <Button className="button-warning" onPress={() => setDialog("remove")}>
          {words.remove}
        </Button>
      </div>
      {dialog === "accept" && <AcceptDialog platform={platform} connectors={connectors} onClose={close} />}
      {dialog === "remove" && (
        <RemovalDialog
          label={words.removeNow}
          what={title}
          means={words.removeMeans}
          method={LtiService.method.deleteLtiPlatform}
          request={{ id }}
          commands={[["lti", "remove", String(id)]]}
          onClose={close}
        />
      )}
    </section>
  );
}

function PlatformFacts({ platform }: { readonly platform: LtiPlatform }) {
  const { connections: words } = useChapter("administration");
  const { moment } = useFormats();
  const { state, settings } = platform;
  return (
    <dl className="facts">
      <Fact label={words.state}>
        <StateMark {...(appearances[state] ?? waiting)}>
          {textFor(words.ltiStates, LtiState[state])}
        </StateMark>
        {platform.createTime && <span className="second">{moment(platform.createTime)}</span>}
      </Fact>
      <Fact label={words.address}>
        <code dir="ltr">{settings?.issuer}</code>
      </Fact>
      <Fact label={words.clientId}>
        <code dir="ltr">{settings?.clientId}</code>
      </Fact>
      {state === LtiState.ACCEPTED && <AcceptanceFacts platform={platform} />}
    </dl>
  );
}

/** The decisions that were made when the platform was accepted, and what has been read and written since. */
function AcceptanceFacts({ platform: { acceptance, rosters, columns } }: { readonly platform: LtiPlatform }) {
  const { connections: words } = useChapter("administration");
  const { parts } = useWords();
  const list = useList();
  if (!acceptance) return null;
  return (
    <>
      <Fact label={words.organisations}>{list(acceptance.organisations.map(isolated)) || "–"}</Fact>
      <Fact label={words.teachers}>
        {parts.roles[(Role[acceptance.teacherRole] ?? "").toLowerCase() as RoleName] ?? words.noRole}
      </Fact>
      <Fact label={words.rosters}>
        {words.rosterChoices[rosterNames[acceptance.rosters]]}
        {rosters && (
          <span className="second">{words.lists({ read: rosters.read, courses: rosters.courses })}</span>
        )}
      </Fact>
      {acceptance.hasColumns && columns && (
        <Fact label={words.columns}>
          {words.grades({ written: columns.written, waiting: columns.waiting })}
        </Fact>
      )}
    </>
  );
}

function Deployment({
  platformId,
  place: deployment,
}: {
  readonly platformId: number;
  readonly place: LtiDeployment;
}) {
  const { connections: words } = useChapter("administration");
  const { colon } = useFormats();
  const decide = useChange(LtiService.method.decideLtiDeployment);
  const { deploymentId, state, frameOrigins } = deployment;
  const button = (accepted: boolean, label: string) => (
    <Button
      aria-label={`${label}${colon}${deploymentId}`}
      isDisabled={decide.isPending}
      onPress={() => decide.mutate({ platformId, deploymentId, accepted })}
    >
      {label}
    </Button>
  );
  return (
    <div className="stack">
      <p className="subtitle">
        <bdi>{words.place({ id: deploymentId })}</bdi>
        <StateMark {...(appearances[state] ?? waiting)}>
          {textFor(words.ltiStates, LtiState[state])}
        </StateMark>
        <span className="small" dir="ltr">
          {frameOrigins.join(", ")}
        </span>
        {state !== LtiState.ACCEPTED && button(true, words.acceptDeployment)}
        {state !== LtiState.REFUSED && button(false, words.refuse)}
      </p>
      {decide.error && <Failure error={decide.error} />}
    </div>
  );
}
