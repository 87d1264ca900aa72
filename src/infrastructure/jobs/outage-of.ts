import { type Outage, Problem, type Shortage } from "#foundation/errors.js";
import { describeOutage } from "../db/outage.js";

/** Returns the system that was unavailable or too busy. The failed work itself may be fine. */
export function outageOf(error: unknown): Outage | Shortage | undefined {
  if (error instanceof Problem) return error.outage;
  return describeOutage(error) === undefined ? undefined : "database";
}
