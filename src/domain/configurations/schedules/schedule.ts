import type { Actor } from "#infrastructure/identity/actors.js";

export type Recurrence =
  /** Every `days` days of 24 hours. */
  | { readonly kind: "interval"; readonly days: number }
  /** A cron expression with five fields, in the schedule's time zone. */
  | { readonly kind: "cron"; readonly expression: string }
  /** One run, at `startAt`. */
  | { readonly kind: "once" };

/** The settings of a schedule, which starts issuance runs of a configuration. */
export interface StatedSchedule {
  readonly isEnabled: boolean;
  readonly recurrence: Recurrence;
  /** IANA name; empty for the time zone of the service. */
  readonly timeZone: string;
  readonly startAt: Date | null;
  /** No run starts at or after this time. */
  readonly endAt: Date | null;
}

export function statementOf({
  isEnabled,
  recurrence,
  timeZone,
  startAt,
  endAt,
}: StatedSchedule): StatedSchedule {
  return { isEnabled, recurrence, timeZone, startAt, endAt };
}

export interface CredentialSchedule extends StatedSchedule {
  /** Start of the first interval. */
  readonly countedFrom: Date;
  /** Time of the next run or attempt; null if the schedule is disabled or has ended. */
  readonly nextRunAt: Date | null;
  /** Why the last run could not be started; empty if it was started. */
  readonly lastError: string;
  /** Who last set the schedule or changed its recipients; null if that happened before the service recorded it. */
  readonly setBy: Actor | null;
}
