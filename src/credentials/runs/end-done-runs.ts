import type { Database } from "../../db/database.js";
import { inTransaction, NOBODY_LEAVES } from "../../db/transaction.js";
import { endRuns, findDoneRuns, lockRunning } from "./run-store.js";

/**
 * Ends the runs of which every credential is available or has failed. It is asked for again and again by every worker,
 * so that it does not matter who makes the last document of a run, nor whether he dies then.
 */
export async function endDoneRuns(database: Database): Promise<void> {
  const done = await findDoneRuns(database.knex);
  if (done.length === 0) return;
  await inTransaction(database, NOBODY_LEAVES, async (transaction) => {
    // Only what is counted under the lock counts: one may have been tried again since.
    await endRuns(transaction, await lockRunning(transaction, done), "complete");
  });
}
