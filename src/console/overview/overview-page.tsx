import { useQuery } from "@connectrpc/connect-query";
import { Link } from "@tanstack/react-router";
import type { CredentialConfiguration } from "#gen/learning_credentials/v1/configuration_pb.js";
import {
  type CountCredentialsResponse,
  CredentialService,
} from "#gen/learning_credentials/v1/credential_service_pb.js";
import { IssuanceRunState } from "#gen/learning_credentials/v1/issuance_run_pb.js";
import { Failure } from "../components/failure.js";
import { lazily } from "../components/lazily.js";
import { PageTitle } from "../components/page-title.js";
import { statusNames } from "../components/status-name.js";
import { CredentialTable } from "../credentials/credential-table.js";
import { totalOf } from "../credentials/status-counts.js";
import { useFormats, useWords } from "../i18n/words.js";
import { titleOf, useConfigurations } from "../offers/use-configurations.js";
import { RunCard } from "./run-card.js";

const FirstSteps = lazily(() => import("./first-steps.js"), "FirstSteps");
const CorrectionsToDecide = lazily(() => import("../names/corrections-to-decide.js"), "CorrectionsToDecide");

const RECENT_CREDENTIALS = 6;
const RUNNING_REFRESH_MS = 2000;
const IDLE_REFRESH_MS = 20_000;

export function OverviewPage() {
  const words = useWords();
  const counts = useQuery(
    CredentialService.method.countCredentials,
    {},
    { refetchInterval: IDLE_REFRESH_MS },
  );
  const recent = useQuery(CredentialService.method.searchCredentials, { pageSize: RECENT_CREDENTIALS });
  const runs = useQuery(
    CredentialService.method.listIssuanceRuns,
    { state: IssuanceRunState.RUNNING },
    {
      refetchInterval: ({ state }) => (state.data?.runs.length ? RUNNING_REFRESH_MS : IDLE_REFRESH_MS),
    },
  );
  const configurations = useConfigurations();

  const error = counts.error ?? recent.error ?? runs.error ?? configurations.error;
  const running = runs.data?.runs ?? [];
  const isEmpty = totalOf(counts.data?.counts, undefined)?.count === 0;

  return (
    <section className="page">
      <PageTitle title={words.shell.overview} />
      {error && <Failure error={error} />}
      {isEmpty && <FirstSteps />}
      {counts.data && !isEmpty && <StatusFigures counts={counts.data.counts} />}
      {counts.data && !isEmpty && (
        <p>
          <Link to="/figures">{words.overview.figures}</Link>
        </p>
      )}
      {counts.data && configurations.all && !isEmpty && (
        <Attention
          failedCount={totalOf(counts.data.counts, "error")?.count ?? 0}
          configurations={configurations.all}
        />
      )}
      {running.length > 0 && (
        <section className="stack">
          <h2>{words.overview.running}</h2>
          {running.map((run) => (
            <RunCard
              key={run.id}
              run={run}
              configuration={configurations.all?.find(({ id }) => id === run.configurationId)}
            />
          ))}
        </section>
      )}
      {recent.data && recent.data.credentials.length > 0 && (
        <section className="stack">
          <h2>{words.overview.recent}</h2>
          <CredentialTable rows={recent.data.credentials} />
          <p>
            <Link to="/credentials">{words.learners.allCredentials}</Link>
          </p>
        </section>
      )}
    </section>
  );
}

/** Lists what staff should look into: failed credentials, corrections to decide, and schedules that failed. */
function Attention({
  failedCount,
  configurations,
}: {
  readonly failedCount: number;
  readonly configurations: readonly CredentialConfiguration[];
}) {
  const words = useWords();
  const failedSchedules = configurations.filter((each) => each.schedule?.lastError);
  const isCalm = failedCount === 0 && failedSchedules.length === 0;
  return (
    <section className="stack">
      <h2>{words.overview.attention}</h2>
      {isCalm && <p className="faint">{words.overview.calm}</p>}
      {failedCount > 0 && (
        <p className="notice notice-bad">
          <Link to="/credentials" search={{ status: "error" }}>
            {words.overview.failed({ count: failedCount })}
          </Link>
        </p>
      )}
      <CorrectionsToDecide />
      {failedSchedules.map((each) => (
        <div key={each.id} className="notice notice-warn">
          <p className="notice-heading">
            {words.overview.scheduleFailed} <bdi>{titleOf(each)}</bdi>
          </p>
          <p lang="en" dir="ltr">
            {each.schedule?.lastError}
          </p>
        </div>
      ))}
    </section>
  );
}

function StatusFigures({ counts }: Pick<CountCredentialsResponse, "counts">) {
  const words = useWords();
  const { number } = useFormats();
  return (
    <ul className="figures" aria-label={words.credentials.byStatus}>
      {statusNames.map((status) => {
        const total = totalOf(counts, status);
        return (
          <li key={status}>
            <Link
              to="/credentials"
              search={{ status }}
              className={`figure ${total?.count ? `figure-${status}` : ""}`}
            >
              <strong>
                {number(total?.count ?? 0)}
                {total?.isAtLeast && "+"}
              </strong>
              <span>{words.overview.counts[status]({ count: total?.count ?? 0 })}</span>
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
