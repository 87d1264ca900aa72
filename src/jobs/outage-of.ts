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
