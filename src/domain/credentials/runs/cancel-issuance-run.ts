import { type Database, inTransaction } from "#infrastructure/db/database.js";
import type { Actor } from "#infrastructure/identity/actors.js";
import { lockIssuanceRun, reportOn } from "./get-issuance-run.js";
import type { RunReport } from "./issuance-run.js";
import { cancelGenerating, endRuns } from "./run-store.js";

/**
 * Cancels a run: sets its generating credentials to failed, and keeps available ones. A run that has ended is not
 * changed.
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
