import { describeOutage } from "../db/outage.js";
import { type Outage, Problem } from "../errors.js";

/**
 * Returns what was unavailable when work failed. Then nothing is known to be wrong with the work itself.
 * @returns undefined for any other error
 */
export function outageOf(error: unknown): Outage | "database" | undefined {
  if (error instanceof Problem) return error.outage;
  return describeOutage(error) === undefined ? undefined : "database";
}

/** A job was returned to the queue, and its run did not count as an attempt. */
export class PostponeError extends Error {
  override readonly name = "PostponeError";

  /** @param cause error of the run; undefined: it did not run */
  constructor(
    readonly waitsFor: Outage | "database",
    override readonly cause?: unknown,
  ) {
    super(`waits for the ${waitsFor}`);
  }
}
