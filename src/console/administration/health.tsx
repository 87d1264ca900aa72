import { useQuery } from "@connectrpc/connect-query";
import { Link } from "@tanstack/react-router";
import { textFor } from "#foundation/languages/message.js";
import {
  AdministrationService,
  type GetHealthResponse,
  HealthState,
  type QueueHealth,
} from "#gen/learning_credentials/v1/administration_service_pb.js";
import { Button } from "../components/button.js";
import { Fact } from "../components/fact.js";
import { Failure } from "../components/failure.js";
import { ListTable } from "../components/list-table.js";
import { StateMark, type StatusAppearance } from "../components/status.js";
import { useChange } from "../components/use-change.js";
import { useChapter, useFormats } from "../i18n/words.js";
import { Examination } from "./examination.js";
import { bad, good, warning } from "./looks.js";

const REFRESH_MS = 10_000;

const appearances: Partial<Record<HealthState, StatusAppearance>> = {
  [HealthState.READY]: good,
  [HealthState.DEGRADED]: warning,
};

export function Health() {
  const { health: words } = useChapter("administration");
  const found = useQuery(AdministrationService.method.getHealth, {}, { refetchInterval: REFRESH_MS });
  return (
    <>
      <p className="intro">{words.means}</p>
      {found.error && <Failure error={found.error} onRetry={() => void found.refetch()} />}
      {found.data && <Shown health={found.data} />}
      <Examination />
    </>
  );
}

function Shown({ health }: { readonly health: GetHealthResponse }) {
  const { health: words } = useChapter("administration");
  const { milliseconds, number } = useFormats();
  return (
    <>
      <p role="status">
        <StateMark {...(appearances[health.state] ?? bad)}>
          {textFor(words.states, HealthState[health.state])}
        </StateMark>
      </p>
      <ListTable
        caption={words.dependency}
        headings={[words.dependency, words.answer, { amount: words.duration }]}
      >
        {health.dependencies.map(({ name, works, durationMs, problem }) => (
          <tr key={name}>
            <th scope="row" className="main-cell">
              {textFor(words.dependencies, name) ?? name}
              {problem !== "" && (
                <span className="second" lang="en" dir="ltr">
                  {problem}
                </span>
              )}
            </th>
            <td data-label={words.answer}>
              <StateMark {...(works ? good : bad)}>{works ? words.works : words.fails}</StateMark>
            </td>
            <td className="amount">
              <bdi>{milliseconds(durationMs)}</bdi>
            </td>
          </tr>
        ))}
      </ListTable>
      <h2>{words.failures}</h2>
      <dl className="facts card">
        <Fact label={words.failedCredentials}>
          <Link to="/credentials" search={{ status: "error" }}>
            {number(health.failedCredentialCount)}
          </Link>
        </Fact>
        <Fact label={words.refusedEmails}>
          <Link to="/emails" search={{ state: "refused" }}>
            {number(health.refusedEmailCount)}
          </Link>
        </Fact>
        <Fact label={words.disabledWebhooks}>
          <Link to="/webhooks">{number(health.disabledWebhookCount)}</Link>
        </Fact>
        <Fact label={words.version}>
          <bdi>{health.version}</bdi>
        </Fact>
      </dl>
      <Queue parts={health.queue} />
    </>
  );
}

function Queue({ parts }: { readonly parts: readonly QueueHealth[] }) {
  const { changes, health: words } = useChapter("administration");
  const { colon, number, seconds } = useFormats();
  const retry = useChange(AdministrationService.method.retryJobs);
  return (
    <>
      <h2>{words.queue}</h2>
      {retry.error && <Failure error={retry.error} />}
      {parts.length === 0 ? (
        <p className="faint">{words.queueEmpty}</p>
      ) : (
        <ListTable
          caption={words.queue}
          headings={[
            changes.what,
            { amount: words.ready },
            { amount: words.running },
            { amount: words.later },
            { amount: words.failed },
            { amount: words.oldest },
            words.retry,
          ]}
        >
          {parts.map(({ task, ready, running, later, failed, oldestSeconds, lastError }) => (
            <tr key={task}>
              <th scope="row" className="main-cell">
                {textFor(words.tasks, task) ?? task}
                {lastError !== "" && (
                  <span className="second" lang="en" dir="ltr">
                    {lastError}
                  </span>
                )}
              </th>
              {[
                [words.ready, ready],
                [words.running, running],
                [words.later, later],
                [words.failed, failed],
              ].map(([label, count]) => (
                <td key={label} className="amount" data-label={label}>
                  {number(Number(count))}
                </td>
              ))}
              <td className="amount" data-label={words.oldest}>
                {seconds(Math.round(oldestSeconds))}
              </td>
              <td>
                {failed > 0 && later > 0 && (
                  <Button
                    aria-label={`${words.retry}${colon}${textFor(words.tasks, task) ?? task}`}
                    isDisabled={retry.isPending}
                    onPress={() => retry.mutate({ task })}
                  >
                    {words.retry}
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </ListTable>
      )}
    </>
  );
}
