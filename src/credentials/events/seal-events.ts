import type { Knex } from "knex";
import type { Logger } from "pino";
import { type Repetition, repeat } from "../../concurrency/repeat.js";
import { run } from "../../db/query.js";

/** How long an event waits at most for a sealer with nothing to do, in milliseconds. */
const PAUSE_MS = 500;

/** Sealed in a tenth of a second, during which nobody else seals. */
const BATCH = 5000;

/**
 * Seals events until it is stopped: gives them their position and their link in the chain, and tells watchers. Any number of
 * processes may do so; one at a time has something to do.
 */
export function startSealing(knex: Knex, log: Logger): Pick<Repetition, "stop"> {
  return repeat({
    name: "the sealing of events",
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
 * Seals the oldest events, as many as `batch` says.
 * @returns how many were sealed; 0 also while another process seals
 */
export async function sealEvents(knex: Knex, batch: number): Promise<number> {
  const { rows } = await run<{ sealed: number }>(
    knex,
    "seal_events",
    "select seal_credential_events(?) as sealed",
    [batch],
  );
  return rows[0]?.sealed ?? 0;
}
