import type { Database } from "../../db/database.js";
import { endRuns, findDoneRuns, lockRunning } from "./run-store.js";

/**
 * Ends the runs of which every credential is available or has failed. It is asked for again and again by every worker,
 * so that it does not matter who makes the last document of a run, nor whether he dies then.
 */
export async function endDoneRuns({ knex }: Database): Promise<void> {
  const done = await findDoneRuns(knex);
  if (done.length === 0) return;
  await knex.transaction(async (transaction) => {
    // Only what is counted under the lock counts: one may have been tried again since.
    await endRuns(transaction, await lockRunning(transaction, done), "complete");
  });
}
