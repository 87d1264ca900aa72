/** `rejected`: the receiver says that the request is invalid, so sending it again would be useless. */
export type AttemptOutcome = "delivered" | "failed" | "rejected" | "skipped";

/** A finished request to an endpoint, or the decision to skip an event. */
export interface NewWebhookAttempt {
  readonly kind: "events" | "test" | "gap" | "notice";
  /** Undefined for a test, and for a notice that another endpoint was disabled. */
  readonly firstPosition?: number;
  readonly lastPosition?: number;
  /** Number of the attempt for the event, from 1. */
  readonly attempt: number;
  readonly at: Date;
  readonly ms: number;
  readonly outcome: AttemptOutcome;
  /** HTTP status; null if there was no response. */
  readonly status: number | null;
  /** Description by this service; empty if there was no error. */
  readonly error: string;
}

export interface WebhookAttempt extends Omit<NewWebhookAttempt, "firstPosition" | "lastPosition"> {
  readonly id: number;
  readonly firstPosition: number | null;
  readonly lastPosition: number | null;
}
