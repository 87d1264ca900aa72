import type { Tracer } from "@opentelemetry/api";
import type { Logger } from "pino";
import type { Database } from "#infrastructure/db/database.js";
import type { PostingDeps } from "./post.js";
import type { AttemptOutcome } from "./webhook-attempt.js";

/** Called after each request. */
export type OnAttempt = (outcome: AttemptOutcome, seconds: number) => void;

/** Dependencies for sending. */
export interface SendingDeps {
  readonly database: Database;
  readonly posting: PostingDeps;
  /** The service's secrets, from which endpoint secrets are derived; the first one is current. */
  readonly serviceSecrets: readonly string[];
  /** Base URL of the service. */
  readonly publicUrl: string;
  /** undefined if tracing is off */
  readonly tracer: Tracer | undefined;
}

/** Dependencies for delivering. */
export interface DeliveryDeps extends SendingDeps {
  readonly onAttempt: OnAttempt;
  readonly log: Logger;
  /** Overrides for tests. */
  readonly timings?: Partial<DeliveryTimings>;
}

/** All in milliseconds. */
export interface DeliveryTimings {
  /** How long a sender keeps its lease on an endpoint without renewing it. */
  readonly leaseMs: number;
  /** Length of an endpoint's turn, after which others get theirs. */
  readonly turnMs: number;
  /** Pause before the next request after a failed one. */
  readonly afterFailureMs: number;
  /** Maximum time between two updates of the stored progress. */
  readonly progressMs: number;
  /** Pause between two checks for due endpoints. */
  readonly pollMs: number;
  /** Wait after a failed round; undefined: increasing waits. */
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
