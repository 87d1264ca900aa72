import { useMutation } from "@connectrpc/connect-query";
import { Link, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { type IssuanceRun, IssuanceRunState } from "#gen/learning_credentials/v1/issuance_run_pb.js";
import { ActorName } from "../components/actor-name.js";
import { AsCode } from "../components/as-code.js";
import { Button } from "../components/button.js";
import { Fact } from "../components/fact.js";
import { Failure } from "../components/failure.js";
import { lazily } from "../components/lazily.js";
import { PageTitle } from "../components/page-title.js";
import { useMay } from "../components/use-may.js";
import { ConfigurationName } from "../configurations/configuration-name.js";
import { useChapter, useFormats, useWords } from "../i18n/words.js";
import { titleOf, useConfigurations } from "../offers/use-configurations.js";
import { FailureGroups } from "./failure-groups.js";
import { RunState } from "./run-state.js";
import { SkippedCounts } from "./skipped-counts.js";
import { useWatchedRun } from "./use-watched-run.js";

const CancelRunDialog = lazily(() => import("./cancel-run-dialog.js"), "CancelRunDialog");
const DownloadDocuments = lazily(() => import("../documents/download-documents.js"), "DownloadDocuments");

export function RunPage() {
  const { shell } = useWords();
  const issuing = useChapter("issuing");
  const { id } = useParams({ from: "/runs/$id" });
  const [round, setRound] = useState(0);
  const { run, error, isInterrupted } = useWatchedRun(id, round);
  const found = useConfigurations().all?.find((each) => each.id === run?.configurationId);
  return (
    <section className="page">
      <PageTitle title={issuing.run.title({ type: found ? titleOf(found) : "" })} />
      {error !== undefined && <Failure error={error} onRetry={() => setRound(round + 1)} />}
      {!run && error === undefined && <p role="status">{shell.loading}</p>}
      {isInterrupted && <p className="notice notice-warn">{issuing.run.interrupted}</p>}
      {run && (
        <>
          <Facts run={run} />
          <Progress run={run} />
          <Actions run={run} onStarted={() => setRound(round + 1)} />
          {run.skipped.length > 0 && (
            <section className="card padded panel">
              <h2>{issuing.plan.skippedLearners}</h2>
              <SkippedCounts counts={run.skipped} />
              <p>
                <Link to="/without-credential" search={{ configuration: String(run.configurationId) }}>
                  {issuing.without.title}
                </Link>
              </p>
            </section>
          )}
          {run.failedCount > 0 && <FailureGroups run={run} />}
        </>
      )}
    </section>
  );
}

function Facts({ run }: { readonly run: IssuanceRun }) {
  const { credentials, events, shell } = useWords();
  const issuing = useChapter("issuing");
  const emails = useChapter("emails");
  const { moment } = useFormats();
  return (
    <dl className="card facts">
      <Fact label={credentials.one}>
        <ConfigurationName id={run.configurationId} />
      </Fact>
      <Fact label={issuing.runs.started}>{run.startTime && moment(run.startTime)}</Fact>
      <Fact label={events.actor}>
        <ActorName of={run.startedBy} />
      </Fact>
      {run.endTime && <Fact label={issuing.run.ended}>{moment(run.endTime)}</Fact>}
      {run.skipEmail && <Fact label={shell.emails}>{emails.states.dropped}</Fact>}
      {run.listedCount > 0 && (
        <Fact label={issuing.list.outcome}>
          {issuing.runs.listed({ count: run.listedCount })}
          {run.skipEligibilityCheck && `; ${issuing.runs.withoutCheck}`}
        </Fact>
      )}
    </dl>
  );
}

function Progress({ run }: { readonly run: IssuanceRun }) {
  const issuing = useChapter("issuing");
  const { number } = useFormats();
  const done = run.issuedCount - run.generatingCount;
  const isRunning = run.state === IssuanceRunState.RUNNING;
  const inWords = issuing.run.done({ done, all: run.issuedCount });
  return (
    <section className="card padded panel">
      <div className="progress-head">
        <RunState of={run.state} />
        <strong>{inWords}</strong>
      </div>
      <progress value={done} max={Math.max(run.issuedCount, 1)} aria-label={issuing.run.progress} />
      <ul className="counts">
        <li>
          <strong>{number(run.availableCount)}</strong>{" "}
          {issuing.runs.available({ count: run.availableCount })}
        </li>
        <li>
          <strong>{number(run.generatingCount)}</strong>{" "}
          {issuing.runs.generating({ count: run.generatingCount })}
        </li>
        <li>
          <strong>{number(run.failedCount)}</strong> {issuing.runs.failed({ count: run.failedCount })}
        </li>
      </ul>
      {/* Without this, screen readers would announce every step. */}
      <p role="status" className={isRunning ? "small faint" : "away-from-view"}>
        {isRunning ? issuing.run.live : inWords}
      </p>
    </section>
  );
}

function Actions({ run, onStarted }: { readonly run: IssuanceRun; readonly onStarted: () => void }) {
  const issuing = useChapter("issuing");
  const may = useMay();
  const [isCancelling, setCancelling] = useState(false);
  const retry = useMutation(CredentialService.method.retryIssuanceRun, { onSuccess: onStarted });
  const isRunning = run.state === IssuanceRunState.RUNNING;
  return (
    <>
      {retry.error && <Failure error={retry.error} />}
      <div className="actions">
        {isRunning && (
          <Button why={may("registrar")} onPress={() => setCancelling(true)}>
            {issuing.run.cancel}
          </Button>
        )}
        {!isRunning && run.failedCount > 0 && (
          <Button
            why={may("registrar")}
            isDisabled={retry.isPending}
            onPress={() => retry.mutate({ id: run.id })}
          >
            {issuing.run.retry({ count: run.failedCount })}
          </Button>
        )}
        {run.issuedCount > 0 && (
          <Link to="/credentials" search={{ run: run.id }} className="button">
            {issuing.run.credentials}
          </Link>
        )}
        {!isRunning && run.availableCount > 0 && (
          <DownloadDocuments request={{ filter: { issuanceRunId: run.id } }} count={run.availableCount} />
        )}
      </div>
      {!isRunning && run.failedCount > 0 && (
        <AsCode
          method={CredentialService.method.retryIssuanceRun}
          request={{ id: run.id }}
          commands={[["run", "retry", run.id]]}
        />
      )}
      {isCancelling && <CancelRunDialog run={run} onClose={() => setCancelling(false)} />}
    </>
  );
}
