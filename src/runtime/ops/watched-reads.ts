import { Problem } from "#foundation/errors.js";
import type { ReadOn } from "#infrastructure/db/batch-loader.js";
import { describeOutage } from "#infrastructure/db/outage.js";
import type { Dependency } from "./readiness.js";

/** The outcome of the last read is used for this long. */
const REMEMBERED_MS = 10_000;

/** Reads for callers that remember how the last of them has ended. */
export interface WatchedReads {
  readonly readOn: ReadOn;
  /** Rejects while the last read has failed because of the database. */
  readonly check: Dependency["check"];
}

/**
 * Watches the reads of callers. A look of our own can't replace them: it would not meet the table that someone has
 * locked.
 */
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
      if (failure && performance.now() - failure.at < REMEMBERED_MS) throw failure.error;
    },
  };
}

function isOutage(error: unknown): boolean {
  return describeOutage(error) !== undefined || (error instanceof Problem && error.kind === "unavailable");
}
