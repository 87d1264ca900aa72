import type { Knex } from "knex";
import { removeOldest } from "./audit-store.js";

const BATCH = 10_000;

/** Removes the entries that are more than `days` days old (at least 1). What is left when the signal aborts waits. */
export async function removeOldEntries(knex: Knex, days: number, signal: AbortSignal): Promise<void> {
  for (let removed = BATCH; removed === BATCH && !signal.aborted; )
    removed = await removeOldest(knex, days, BATCH);
}
