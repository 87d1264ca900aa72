import { waitForLocks } from "#infrastructure/db/database.js";
import type { Actor } from "#infrastructure/identity/actors.js";
import { inLearnerTransaction } from "../../learners/learner-transaction.js";
import { insertCredentials } from "../issuance/insert-credentials.js";
import type { IssuingDeps } from "../issuance/issuing-deps.js";
import { getIssuanceRun, lockIssuanceRun, reportOn } from "./get-issuance-run.js";
import type { RunReport } from "./issuance-run.js";
import { planIssuance } from "./plan-issuance.js";
import { planned } from "./plan-table.js";
import { endRuns, lockRunsOf, reopenRun } from "./run-store.js";

/**
 * Issues the failed credentials of a run again, from current records, to learners who are still eligible and whose
 * names can be printed. The run continues. If there is nothing to retry, the run ends immediately.
 * @throws Problem like `startIssuanceRun`
 */
export async function retryIssuanceRun(
  deps: IssuingDeps,
  { id, retriedBy }: { readonly id: string; readonly retriedBy: Actor },
  signal: AbortSignal,
): Promise<RunReport> {
  const { configurationId } = (await getIssuanceRun(deps.database, id, signal)).run;
  return inLearnerTransaction(deps.database, signal, async (transaction) => {
    await waitForLocks(transaction);
    await lockRunsOf(transaction, configurationId);
    const run = await lockIssuanceRun(transaction, id);
    await reopenRun(transaction, run.id);
    const { plan, content, validUntil } = await planIssuance(transaction, deps, {
      configurationId,
      retriedRun: run.id,
      usernames: null,
      skipsEligibility: run.skipsEligibility,
    });
    const { skipsEligibility, skipsEmail } = run;
    const shared = { ...content, issuedBy: retriedBy, runId: run.id, skipsEligibility, skipsEmail };
    if (plan.issueCount > 0) await insertCredentials(transaction, shared, planned(validUntil));
    await endRuns(transaction, [run.id], "complete");
    return reportOn(transaction, await lockIssuanceRun(transaction, run.id));
  });
}
