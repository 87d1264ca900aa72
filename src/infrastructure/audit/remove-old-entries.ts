import type { Knex } from "../db/query.js";
import { removeOldest } from "./audit-store.js";

const BATCH = 10_000;

/** Removes entries more than `days` days old (at least 1). If the signal aborts, the next call removes the rest. */
export async function removeOldEntries(knex: Knex, days: number, signal: AbortSignal): Promise<void> {
  for (let removed = BATCH; removed === BATCH && !signal.aborted; )
    removed = await removeOldest(knex, days, BATCH);
}
