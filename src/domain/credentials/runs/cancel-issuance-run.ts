import type { Database } from "#infrastructure/db/database.js";
import { inTransaction } from "#infrastructure/db/transaction.js";
import type { Actor } from "#infrastructure/identity/actors.js";
import { lockIssuanceRun, reportOn } from "./get-issuance-run.js";
import type { RunReport } from "./issuance-run.js";
import { cancelGenerating, endRuns } from "./run-store.js";

/**
 * Cancels a run: credentials that are generating fail, available ones stay. A run that has ended is returned
 * unchanged.
 * @throws Problem `not-found`
 */
export function cancelIssuanceRun(
  database: Database,
  { id, cancelledBy }: { readonly id: string; readonly cancelledBy: Actor },
  signal: AbortSignal,
): Promise<RunReport> {
  return inTransaction(database, signal, async (transaction) => {
    const run = await lockIssuanceRun(transaction, id);
    if (run.state === "running") {
      await cancelGenerating(transaction, { id: run.id, cancelledBy, reason: "The run was cancelled." });
      await endRuns(transaction, [run.id], "cancelled");
    }
    return reportOn(transaction, await lockIssuanceRun(transaction, id));
  });
}
