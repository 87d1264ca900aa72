import type { Logger } from "pino";
import { type Repetition, repeat } from "#foundation/concurrency/repeat.js";
import { type Knex, query } from "#infrastructure/db/query.js";

/** Pause between rounds. A new event waits about this long, at most, until it is sealed. */
const PAUSE_MS = 500;

/** Number of events per batch. A batch takes a tenth of a second, during which no other process can seal. */
const BATCH = 5000;

/**
 * Seals events until it is stopped: assigns positions, links them into the chain, and notifies watchers. If several
 * processes run this, one of them seals at a time.
 */
export function startSealing(knex: Knex, log: Logger): Pick<Repetition, "stop"> {
  return repeat({
    name: "sealing events",
    pauseMs: PAUSE_MS,
    log,
    async work(stopping) {
      for (let sealed = BATCH; sealed === BATCH && !stopping.aborted; ) {
        sealed = await sealEvents(knex, BATCH);
      }
    },
  });
}

/** Seals the oldest events. Returns the number of sealed events, which is also 0 while another process is sealing. */
export async function sealEvents(knex: Knex, batch: number): Promise<number> {
  const { rows } = await query<{ sealed: number }>(
    knex,
    "seal_events",
    "select seal_credential_events(?) as sealed",
    [batch],
  );
  return rows[0]?.sealed ?? 0;
}
