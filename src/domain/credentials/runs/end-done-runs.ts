import { type Database, inTransaction, NEVER_ABORTS } from "#infrastructure/db/database.js";
import { endRuns, findDoneRuns, lockRunning } from "./run-store.js";

/**
 * Ends the runs in which every credential is available or has failed. Every worker calls this regularly, because the
 * worker that generates a run's last document may stop before it ends the run.
 */
export async function endDoneRuns(database: Database): Promise<void> {
  const done = await findDoneRuns(database.knex);
  if (done.length === 0) return;
  await inTransaction(database, NEVER_ABORTS, async (transaction) => {
    // Counts again under the lock, because a credential may have been restarted in the meantime.
    await endRuns(transaction, await lockRunning(transaction, done), "complete");
  });
}
