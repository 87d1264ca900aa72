import type { Actor } from "#infrastructure/identity/actors.js";

/** How often runs are started. */
export type Recurrence =
  /** Every `days` days of 24 hours. */
  | { readonly kind: "interval"; readonly days: number }
  /** At the times of a cron expression with five fields, in the schedule's time zone. */
  | { readonly kind: "cron"; readonly expression: string }
  /** One run, at `startAt`. */
  | { readonly kind: "once" };

/** When issuance runs of a configuration start automatically, as staff state it. */
export interface StatedSchedule {
  readonly isEnabled: boolean;
  readonly recurrence: Recurrence;
  /** IANA name; if empty, that of the service. */
  readonly timeZone: string;
  /** No run starts before this time. */
  readonly startAt: Date | null;
  /** No run starts at or after this time. */
  readonly endAt: Date | null;
}

/** Returns what staff state, without the state of the schedule. */
export function statementOf({
  isEnabled,
  recurrence,
  timeZone,
  startAt,
  endAt,
}: StatedSchedule): StatedSchedule {
  return { isEnabled, recurrence, timeZone, startAt, endAt };
}

/** A schedule with its state. */
export interface CredentialSchedule extends StatedSchedule {
  /** Start of the days of an interval. */
  readonly countedFrom: Date;
  /** Time of the next start or attempt; null while it is disabled or has ended. */
  readonly nextRunAt: Date | null;
  /** Why the last run could not be started; empty if it could. */
  readonly lastError: string;
  /** Who has set it, or has since changed to whom it issues. null: it was set before this was recorded. */
  readonly setBy: Actor | null;
}
