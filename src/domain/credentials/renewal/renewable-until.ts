import { addDays, dayOf, startOfDay } from "#foundation/calendar/day.js";
import { addPeriod } from "#foundation/calendar/period.js";
import type { Options } from "../../configurations/options.js";
import { readRenewalWindow, validityOptions } from "../../configurations/validity-options.js";

/**
 * Credentials whose validity ends at or before the returned time are due for renewal now. Returns null if the options
 * have no `renewal_window`.
 */
export function renewableUntil(options: Options, now: Date, timeZone: string): Date | null {
  const { renewal_window: text } = validityOptions.safeParse(options).data ?? {};
  const window = text === undefined ? undefined : readRenewalWindow(text);
  if (!window) return null;
  if (window.months + window.days === 0) return now;
  return startOfDay(addDays(addPeriod(dayOf(now, timeZone), window), 1), timeZone);
}
