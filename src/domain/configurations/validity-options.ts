import { z } from "zod";
import { type Day, parseDay } from "#foundation/calendar/day.js";
import { type Period, parsePeriod } from "#foundation/calendar/period.js";

/**
 * How long a credential is valid: for a period from the day of issue, or up to a day. Both last until the end
 * of the day.
 */
export type Validity = { readonly period: Period } | { readonly lastDay: Day };

/** A century: more is a mistake. */
const MAX_MONTHS = 1200;
const MAX_DAYS = 36_525;
const MAX_NOTICE_DAYS = 366;

/** Days before expiry on which learners are notified, unless the type states others. */
export const DEFAULT_NOTICES: readonly number[] = [60, 14, 1];

const isBounded = ({ months, days }: Period) => months <= MAX_MONTHS && days <= MAX_DAYS;

const validity = z
  .string()
  .refine(
    (text) => readValidity(text) !== undefined,
    "must be a period of ISO 8601 from a day to a hundred years, such as P2Y, P18M, P1Y6M or P30D, or the last day, such as 2027-08-31",
  )
  .describe(
    "How long credentials are valid: a period from the day of issue, such as P2Y, P18M or P30D, or the last day, such as 2027-08-31; default: forever",
  );

const renewalWindow = z
  .string()
  .refine(
    (text) => readRenewalWindow(text) !== undefined,
    "must be a period of ISO 8601 of at most a hundred years, such as P60D, or P0D for when it has expired",
  )
  .describe(
    "How long before expiry issuance runs renew the credentials of eligible learners, such as P60D; P0D: after expiry; default: runs renew none",
  );

const renewOn = z
  .enum(["eligible", "new_record"])
  .describe(
    "What a renewal takes; eligible: that the learner is eligible today; new_record: that results observed after the credential was issued make the learner eligible, without those from before; default: eligible",
  );

const expiryNotices = z
  .array(z.number().int().min(1).max(MAX_NOTICE_DAYS))
  .max(5)
  .describe(
    `Days before expiry on which learners get a mail; default: ${DEFAULT_NOTICES.join(", ")}; []: never`,
  );

/** The options of every type and configuration that determine how long credentials are valid. */
export const validityOptions = z.object({
  validity: validity.optional(),
  renewal_window: renewalWindow.optional(),
  renew_on: renewOn.optional(),
  expiry_notices: expiryNotices.optional(),
});

/** Parses the option `validity`; undefined if it is not valid. */
export function readValidity(text: string): Validity | undefined {
  const lastDay = parseDay(text);
  if (lastDay) return { lastDay };
  const period = parsePeriod(text);
  return period && isBounded(period) && period.months + period.days > 0 ? { period } : undefined;
}

/** Parses the option `renewal_window`; undefined if it is not valid. */
export function readRenewalWindow(text: string): Period | undefined {
  const period = parsePeriod(text);
  return period && isBounded(period) ? period : undefined;
}
