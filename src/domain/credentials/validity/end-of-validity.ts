import { addDays, type Day, dayOf, formatDay, startOfDay } from "#foundation/calendar/day.js";
import { addPeriod } from "#foundation/calendar/period.js";
import { failedPrecondition } from "#foundation/errors.js";
import type { Options } from "../../configurations/options.js";
import { readValidity, validityOptions } from "../../configurations/validity-options.js";

/**
 * Returns the first moment after the last day of validity, or null if the options set no end. Days begin at midnight in
 * the time zone, even if its clocks change in between.
 * @throws Problem `failed-precondition` if the last day has passed
 */
export function endOfValidity(options: Options, issuedAt: Date, timeZone: string): Date | null {
  const { validity: text } = validityOptions.safeParse(options).data ?? {};
  const validity = text === undefined ? undefined : readValidity(text);
  if (!validity) return null;
  const today = dayOf(issuedAt, timeZone);
  const last = "period" in validity ? addPeriod(today, validity.period) : validity.lastDay;
  const end = startOfDay(addDays(last, 1), timeZone);
  if (end > issuedAt) return end;
  throw failedPrecondition(
    `The last day in the option validity is ${formatDay(last)}, but today is ${formatDay(today)}: set a later day.`,
  );
}

export function lastMomentOf(validUntil: Date): Date {
  return new Date(validUntil.getTime() - 1);
}

/** Returns the last day of validity. The time zone must be the same as when the end was computed. */
export function lastDayOf(validUntil: Date, timeZone: string): Day {
  return dayOf(lastMomentOf(validUntil), timeZone);
}

/** Returns the reason that machine-readable results give for an expiry. Like all their texts, it is in English. */
export function expiryReason(validUntil: Date, timeZone: string): string {
  return `Expired on ${formatDay(lastDayOf(validUntil, timeZone))}.`;
}
