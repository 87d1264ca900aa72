import { type Knex, query } from "#infrastructure/db/query.js";

const BATCH = 10_000;

/**
 * Removes events more than `days` days old (at least 1), up to the first younger event. The hash of the last removed
 * event is kept, so that the rest of the chain can still be verified. A partition that contains only old events is
 * dropped as a whole. If the signal aborts, the next call removes the rest.
 */
export async function removeOldEvents(knex: Knex, days: number, signal: AbortSignal): Promise<void> {
  for (let removed = 1; removed > 0 && !signal.aborted; ) {
    const { rows } = await query<{ removed: number }>(
      knex,
      "remove_old_events",
      "select remove_old_credential_events(?, ?) as removed",
      [days, BATCH],
    );
    removed = rows[0]?.removed ?? 0;
  }
}
