import type { Tracer } from "@opentelemetry/api";
import type { Logger } from "pino";
import type { Database } from "#infrastructure/db/database.js";
import type { PostingDeps } from "./post.js";
import type { AttemptOutcome } from "./webhook-attempt.js";

type OnAttempt = (outcome: AttemptOutcome, seconds: number) => void;

export interface WebhookSendingDeps {
  readonly database: Database;
  readonly posting: PostingDeps;
  /** Secrets of the service from which endpoint secrets are derived. The first one is current. */
  readonly serviceSecrets: readonly string[];
  readonly publicUrl: string;
  /** Undefined if tracing is off. */
  readonly tracer: Tracer | undefined;
}

export interface DeliveryDeps extends WebhookSendingDeps {
  readonly onAttempt: OnAttempt;
  readonly log: Logger;
  /** Overrides for tests. */
  readonly timings?: Partial<DeliveryTimings>;
}

/** Timings of deliveries, in milliseconds. */
export interface DeliveryTimings {
  /** Time for which a lease is valid without renewal. */
  readonly leaseMs: number;
  /** Length of an endpoint's turn. */
  readonly turnMs: number;
  /** Pause after a failed request. */
  readonly afterFailureMs: number;
  /** Maximum time between updates of the stored progress. */
  readonly progressMs: number;
  /** Pause between checks for due endpoints. */
  readonly pollMs: number;
  /** Wait after a failed round; undefined for increasing waits. */
  readonly waitMs: number | undefined;
}

export const TIMINGS: DeliveryTimings = {
  leaseMs: 60_000,
  turnMs: 20_000,
  afterFailureMs: 500,
  progressMs: 500,
  pollMs: 500,
  waitMs: undefined,
};
