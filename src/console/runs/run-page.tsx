import { useMutation } from "@connectrpc/connect-query";
import { Link, useParams } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { CredentialService } from "../../../gen/learning_credentials/v1/credential_service_pb.js";
import { type IssuanceRun, IssuanceRunState } from "../../../gen/learning_credentials/v1/issuance_run_pb.js";
import { ConfigurationName } from "../configurations/configuration-name.js";
import { useConfigurations } from "../configurations/use-configurations.js";
import { AsCode } from "../parts/as-code.js";
import { Button } from "../parts/button.js";
import { Failure } from "../parts/failure.js";
import { PageTitle } from "../parts/page-title.js";
import { useMay } from "../parts/use-may.js";
import { useFormats, useWords } from "../reader/words.js";
import { FailureGroups } from "./failure-groups.js";
import { RunState } from "./run-state.js";
import { SkippedCounts } from "./skipped-counts.js";
import { useWatchedRun } from "./use-watched-run.js";

const CancelRunDialog = lazy(() =>
  import("./cancel-run-dialog.js").then((module) => ({ default: module.CancelRunDialog })),
);

/** What makes a ZIP comes with the first document. */
const DownloadDocuments = lazy(async () => ({
  default: (await import("../documents/download-documents.js")).DownloadDocuments,
}));

/** A run while it works, and its report afterwards. */
export function RunPage() {
  const { issuing, shell } = useWords();
  const { id } = useParams({ from: "/runs/$id" });
  const [round, setRound] = useState(0);
  const { run, error, isInterrupted } = useWatchedRun(id, round);
  const type = useConfigurations().all?.find((each) => each.id === run?.configurationId)?.credentialType;
  return (
    <section className="page">
      <PageTitle title={issuing.run.title.replace("{type}", type ?? "")} />
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
              <h2>{issuing.run.skipped}</h2>
              <SkippedCounts counts={run.skipped} />
            </section>
          )}
          {run.failedCount > 0 && <FailureGroups run={run} />}
        </>
      )}
    </section>
  );
}

function Facts({ run }: { readonly run: IssuanceRun }) {
  const { issuing } = useWords();
  const { moment } = useFormats();
  return (
    <dl className="card facts">
      <div>
        <dt>{issuing.configuration}</dt>
        <dd>
          <ConfigurationName id={run.configurationId} />
        </dd>
      </div>
      <div>
        <dt>{issuing.runs.started}</dt>
        <dd>{run.startTime && moment(run.startTime)}</dd>
      </div>
      <div>
        <dt>{issuing.runs.startedBy}</dt>
        <dd>
          <bdi>{run.startedBy}</bdi>
        </dd>
      </div>
      {run.endTime && (
        <div>
          <dt>{issuing.run.ended}</dt>
          <dd>{moment(run.endTime)}</dd>
        </div>
      )}
      {run.listedCount > 0 && (
        <div>
          <dt>{issuing.list.outcome}</dt>
          <dd>
            {issuing.runs.listed(run.listedCount)}
            {run.skipEligibilityCheck && `; ${issuing.runs.withoutCheck}`}
          </dd>
        </div>
      )}
    </dl>
  );
}

function Progress({ run }: { readonly run: IssuanceRun }) {
  const { issuing } = useWords();
  const { number } = useFormats();
  const done = run.issuedCount - run.generatingCount;
  const isRunning = run.state === IssuanceRunState.RUNNING;
  const inWords = issuing.run.done.replace("{done}", number(done)).replace("{all}", number(run.issuedCount));
  return (
    <section className="card padded panel">
      <div className="progress-head">
        <RunState of={run.state} />
        <strong>{inWords}</strong>
      </div>
      <progress value={done} max={Math.max(run.issuedCount, 1)} aria-label={issuing.run.progress} />
      <ul className="counts">
        <li>
          <strong>{number(run.availableCount)}</strong> {issuing.runs.available}
        </li>
        <li>
          <strong>{number(run.generatingCount)}</strong> {issuing.runs.generating}
        </li>
        <li>
          <strong>{number(run.failedCount)}</strong> {issuing.runs.failed}
        </li>
      </ul>
      {/* Each step would be too much to listen to. */}
      <p role="status" className={isRunning ? "small faint" : "away-from-view"}>
        {isRunning ? issuing.run.live : inWords}
      </p>
    </section>
  );
}

function Actions({ run, onStarted }: { readonly run: IssuanceRun; readonly onStarted: () => void }) {
  const { issuing } = useWords();
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
            {issuing.run.retry(run.failedCount)}
          </Button>
        )}
        {run.issuedCount > 0 && (
          <Link to="/credentials" search={{ run: run.id }} className="button">
            {issuing.run.credentials}
          </Link>
        )}
        {!isRunning && run.availableCount > 0 && (
          <Suspense>
            <DownloadDocuments request={{ filter: { issuanceRunId: run.id } }} count={run.availableCount} />
          </Suspense>
        )}
      </div>
      {!isRunning && run.failedCount > 0 && (
        <AsCode
          method={CredentialService.method.retryIssuanceRun}
          request={{ id: run.id }}
          commands={[["run", "retry", run.id]]}
        />
      )}
      <Suspense>
        {isCancelling && <CancelRunDialog run={run} onClose={() => setCancelling(false)} />}
      </Suspense>
    </>
  );
}
