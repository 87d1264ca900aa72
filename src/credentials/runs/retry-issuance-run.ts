import { waitForLocks } from "../../db/transaction.js";
import type { Actor } from "../../identity/actors.js";
import { inLearnerTransaction } from "../../learners/learner-transaction.js";
import { beginCredentials } from "../issuance/insert-credentials.js";
import type { IssuingParts } from "../issuance/issue-credential.js";
import { getIssuanceRun, lockIssuanceRun, reportOn } from "./get-issuance-run.js";
import type { RunReport } from "./issuance-run.js";
import { planIssuance } from "./plan-issuance.js";
import { planned } from "./plan-table.js";
import { endRuns, lockRunsOf, reopenRun } from "./run-store.js";

/**
 * Tries the credentials of a run again that have failed, with the records of today, for those who are still eligible and
 * have names that can be printed. The run is running again; if there is nothing to try, it ends at once.
 * @throws Problem as `startIssuanceRun`
 */
export async function retryIssuanceRun(
  parts: IssuingParts,
  { id, retriedBy }: { readonly id: string; readonly retriedBy: Actor },
  signal: AbortSignal,
): Promise<RunReport> {
  const { configurationId } = (await getIssuanceRun(parts.database, id, signal)).run;
  return inLearnerTransaction(parts.database, signal, async (transaction) => {
    await waitForLocks(transaction);
    await lockRunsOf(transaction, configurationId);
    const run = await lockIssuanceRun(transaction, id);
    await reopenRun(transaction, run.id);
    const { plan, content } = await planIssuance(transaction, parts, { configurationId, retriedRun: run.id });
    const beginning = { ...content, issuedBy: retriedBy, runId: run.id };
    if (plan.issueCount > 0) await beginCredentials(transaction, beginning, planned);
    await endRuns(transaction, [run.id], "complete");
    return reportOn(transaction, await lockIssuanceRun(transaction, run.id));
  });
}
