import { Problem } from "#foundation/errors.js";
import type { ReadOn } from "#infrastructure/db/batch-loader.js";
import { describeOutage } from "#infrastructure/db/outage.js";
import type { Dependency } from "./readiness.js";

/** How long a failed read is remembered, unless a later read succeeds. */
const FAILURE_CACHE_MS = 10_000;

export interface WatchedReads {
  readonly readOn: ReadOn;
  /** Rejects if the last read failed recently because the database was unavailable. */
  readonly check: Dependency["check"];
}

/** Watches the reads of callers. A separate check wouldn't notice a lock on a table that callers read. */
export function watchReads(readOn: ReadOn): WatchedReads {
  let failure: { readonly error: unknown; readonly at: number } | undefined;
  return {
    async readOn(signal, work) {
      try {
        const answer = await readOn(signal, work);
        failure = undefined;
        return answer;
      } catch (error) {
        if (!signal.aborted && isOutage(error)) failure = { error, at: performance.now() };
        throw error;
      }
    },
    async check() {
      if (failure && performance.now() - failure.at < FAILURE_CACHE_MS) throw failure.error;
    },
  };
}

function isOutage(error: unknown): boolean {
  return describeOutage(error) !== undefined || (error instanceof Problem && error.kind === "unavailable");
}
