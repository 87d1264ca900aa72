import type { Database } from "#infrastructure/db/database.js";
import { inTransaction, NEVER_ABORTS } from "#infrastructure/db/transaction.js";
import { endRuns, findDoneRuns, lockRunning } from "./run-store.js";

/**
 * Ends the runs in which every credential is available or has failed. Every worker calls this regularly, so it does not
 * matter which worker generates a run's last document, or whether it dies right afterwards.
 */
export async function endDoneRuns(database: Database): Promise<void> {
  const done = await findDoneRuns(database.knex);
  if (done.length === 0) return;
  await inTransaction(database, NEVER_ABORTS, async (transaction) => {
    // The credentials are counted again under the lock, because one may have been restarted since.
    await endRuns(transaction, await lockRunning(transaction, done), "complete");
  });
}
