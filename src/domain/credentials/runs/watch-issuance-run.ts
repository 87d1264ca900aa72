import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { Database } from "#infrastructure/db/database.js";
import { getIssuanceRun } from "./get-issuance-run.js";
import type { RunReport } from "./issuance-run.js";

const POLL_MS = 1_000;
/**
 * Minimum pause, as a multiple of the time that the last count took. Counting the credentials of a big run takes long.
 */
const PAUSE_PER_POLL = 10;
/**
 * Interval at which an unchanged run is sent, because some proxies close a connection after half a minute without data.
 */
const SIGN_OF_LIFE_MS = 15_000;

/**
 * Yields a run immediately, whenever it has made progress, and at regular intervals, until it has ended.
 * @throws Problem `not-found`
 */
export async function* watchIssuanceRun(
  database: Database,
  id: string,
  signal: AbortSignal,
): AsyncGenerator<RunReport> {
  let shown: RunReport | undefined;
  for (let shownAt = 0; ; ) {
    const started = performance.now();
    const report = await getIssuanceRun(database, id, signal);
    const tookMs = performance.now() - started;
    if (!isDeepStrictEqual(report, shown) || performance.now() - shownAt > SIGN_OF_LIFE_MS) {
      yield report;
      [shown, shownAt] = [report, performance.now()];
    }
    if (report.run.state !== "running") return;
    await sleep(Math.max(POLL_MS, PAUSE_PER_POLL * tookMs), undefined, { signal });
  }
}
