import type { Tracer } from "@opentelemetry/api";
import type { Logger } from "pino";
import type { Database } from "#infrastructure/db/database.js";
import type { PostingDeps } from "./post.js";
import type { AttemptOutcome } from "./webhook-attempt.js";

/** Called with each request that has ended. */
export type OnAttempt = (outcome: AttemptOutcome, seconds: number) => void;

/** What sending needs. */
export interface SendingDeps {
  readonly database: Database;
  readonly posting: PostingDeps;
  /** Secrets of the service, from which those of endpoints are derived; the first one is the current one. */
  readonly serviceSecrets: readonly string[];
  /** Base URL of the service. */
  readonly publicUrl: string;
  /** undefined: there are no traces */
  readonly tracer: Tracer | undefined;
}

/** Dependencies for delivering. */
export interface DeliveryDeps extends SendingDeps {
  readonly onAttempt: OnAttempt;
  readonly log: Logger;
  /** For tests. */
  readonly timings?: Partial<DeliveryTimings>;
}

/** In milliseconds. */
export interface DeliveryTimings {
  /** How long an endpoint belongs to a sender that is not heard of again. */
  readonly leaseMs: number;
  /** After how long others get a turn. */
  readonly turnMs: number;
  /** Pause before the next request after one that failed. */
  readonly afterFailureMs: number;
  /** How often the progress is stored, at least. */
  readonly progressMs: number;
  /** Pause between two looks at what is due. */
  readonly pollMs: number;
  /** Wait after a failed round. undefined: it grows. */
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
