/** How often runs are started. */
export type Recurrence =
  /** Every so many days of 24 hours. */
  | { readonly kind: "interval"; readonly days: number }
  /** At the times of five fields, in the schedule's time zone. */
  | { readonly kind: "cron"; readonly expression: string }
  /** One run, at `startAt`. */
  | { readonly kind: "once" };

/** When issuance runs of a configuration are started by themselves, as staff state it. */
export interface StatedSchedule {
  readonly isEnabled: boolean;
  readonly recurrence: Recurrence;
  /** IANA name; empty: that of the service. */
  readonly timeZone: string;
  /** No run before. */
  readonly startAt: Date | null;
  /** No run at or after. */
  readonly endAt: Date | null;
}

/** The same, and where it stands. */
export interface CredentialSchedule extends StatedSchedule {
  /** What the days of an interval are counted from. */
  readonly countedFrom: Date;
  /** When it is started, or tried to be; null while it is off or has come to its end. */
  readonly nextRunAt: Date | null;
  /** Why the last run could not be started; empty: it could. */
  readonly lastError: string;
}
