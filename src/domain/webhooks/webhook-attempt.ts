/** `rejected`: the receiver answers that the request is wrong, so that it would refuse it again. */
export type AttemptOutcome = "delivered" | "failed" | "rejected" | "skipped";

/** A request to an endpoint that has ended, or the decision to do without it. */
export interface NewWebhookAttempt {
  readonly kind: "events" | "test" | "gap" | "notice";
  /** undefined in a test, and in a notice that another endpoint was disabled. */
  readonly firstPosition?: number;
  readonly lastPosition?: number;
  /** Counts from 1, for each event. */
  readonly attempt: number;
  readonly at: Date;
  readonly ms: number;
  readonly outcome: AttemptOutcome;
  /** HTTP status of the answer; null if there was none. */
  readonly status: number | null;
  /** What went wrong, in words of this service. Empty if nothing did. */
  readonly error: string;
}

export interface WebhookAttempt extends Omit<NewWebhookAttempt, "firstPosition" | "lastPosition"> {
  readonly id: number;
  readonly firstPosition: number | null;
  readonly lastPosition: number | null;
}
