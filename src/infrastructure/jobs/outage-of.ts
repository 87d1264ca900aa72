import { type Outage, Problem, type Shortage } from "#foundation/errors.js";
import { describeOutage } from "../db/outage.js";

/**
 * Returns what was unavailable or too busy when work failed, in which case the work itself may be fine.
 * @returns undefined for any other error
 */
export function outageOf(error: unknown): Outage | Shortage | undefined {
  if (error instanceof Problem) return error.outage;
  return describeOutage(error) === undefined ? undefined : "database";
}
