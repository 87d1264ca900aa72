import type { Knex } from "knex";
import type { Logger } from "pino";
import { type Repetition, repeat } from "#foundation/concurrency/repeat.js";
import { query } from "#infrastructure/db/query.js";

/** Pause of an idle sealer, in milliseconds, which is the longest delay of a new event. */
const PAUSE_MS = 500;

/** A batch takes a tenth of a second, during which no other process can seal. */
const BATCH = 5000;

/**
 * Seals events until it is stopped: assigns their position, links them into the chain, and notifies watchers.
 * Any number of processes may run this; only one of them seals at a time.
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

/**
 * Seals the oldest events, at most `batch` of them.
 * @returns the number of sealed events; also 0 while another process is sealing
 */
export async function sealEvents(knex: Knex, batch: number): Promise<number> {
  const { rows } = await query<{ sealed: number }>(
    knex,
    "seal_events",
    "select seal_credential_events(?) as sealed",
    [batch],
  );
  return rows[0]?.sealed ?? 0;
}
