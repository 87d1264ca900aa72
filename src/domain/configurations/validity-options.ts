import { z } from "zod";
import { type Day, parseDay } from "#foundation/calendar/day.js";
import { type Period, parsePeriod } from "#foundation/calendar/period.js";
import { help } from "#foundation/languages/option-help.js";

/** A period from the day of issue, or a fixed last day. The last day is included. */
type Validity = { readonly period: Period } | { readonly lastDay: Day };

/** A period may be at most a century, in months or in days. Longer periods are mistakes. */
const MAX_MONTHS = 1200;
const MAX_DAYS = 36_525;
const MAX_NOTICE_DAYS = 366;

/** Days before expiry on which notices are sent if the type states none. */
export const DEFAULT_NOTICES: readonly number[] = [60, 14, 1];

const isBounded = ({ months, days }: Period) => months <= MAX_MONTHS && days <= MAX_DAYS;

const validity = z
  .string()
  .refine(
    (text) => readValidity(text) !== undefined,
    "must be a period of ISO 8601 from a day to a hundred years, such as P2Y, P18M, P1Y6M or P30D, or the last day, such as 2027-08-31",
  )
  .meta(help("validity"));

const renewalWindow = z
  .string()
  .refine(
    (text) => readRenewalWindow(text) !== undefined,
    "must be a period of ISO 8601 of at most a hundred years, such as P60D, or P0D to renew a credential only after it has expired",
  )
  .meta(help("renewal_window"));

const renewOn = z.enum(["eligible", "new_record"]).meta(help("renew_on"));

const expiryNotices = z
  .array(z.number().int().min(1).max(MAX_NOTICE_DAYS))
  .max(5)
  .meta(help("expiry_notices", { days: DEFAULT_NOTICES.join(", ") }));

export const validityOptions = z.object({
  validity: validity.optional(),
  renewal_window: renewalWindow.optional(),
  renew_on: renewOn.optional(),
  expiry_notices: expiryNotices.optional(),
});

export function readValidity(text: string): Validity | undefined {
  const lastDay = parseDay(text);
  if (lastDay) return { lastDay };
  const period = parsePeriod(text);
  return period && isBounded(period) && period.months + period.days > 0 ? { period } : undefined;
}

export function readRenewalWindow(text: string): Period | undefined {
  const period = parsePeriod(text);
  return period && isBounded(period) ? period : undefined;
}
