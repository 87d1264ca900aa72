/**
 * What can go wrong, as a caller sees it: a closed set, mapped to gRPC codes in `api/codes.ts` and from there to HTTP
 * statuses in `edges/rest/http-status.ts`. Any other exception is a bug or a fault of a dependency, and is masked.
 */
export type ProblemKind =
  | "invalid" // the request can never succeed as it is
  | "unauthenticated"
  | "permission-denied"
  | "not-found"
  | "already-exists"
  | "failed-precondition" // the request is fine, the state of the service is not
  | "gone" // the same, for good: FAILED_PRECONDITION, too, but 410 in HTTP
  | "aborted" // it collided with another change: look again, then decide
  | "out-of-range"
  | "resource-exhausted" // somebody asks for too much
  | "overloaded" // all ask for too much together: RESOURCE_EXHAUSTED, too, but 503 in HTTP
  | "unavailable" // a dependency is out of reach: try again
  | "deadline-exceeded"
  | "cancelled";

/** What work may have to wait for, beside the database. */
export type Outage = "store" | "mail";

/** An error whose message is written for the caller: what was wrong, with which value, and what would be right. */
export class Problem extends Error {
  override readonly name = "Problem";
  /** After how many seconds the same request may succeed, where that is known. */
  readonly retryAfter: number | undefined;
  /** What is out of reach, full or broken, where that is why: nothing is wrong with what was asked for. */
  readonly outage: Outage | undefined;

  constructor(
    readonly kind: ProblemKind,
    message: string,
    options?: { cause?: unknown; retryAfter?: number; outage?: Outage },
  ) {
    super(message, options);
    this.retryAfter = options?.retryAfter;
    this.outage = options?.outage;
  }
}

/** A `Problem` of kind `invalid`: by far the most frequent. */
export function invalid(message: string, cause?: unknown): Problem {
  return new Problem("invalid", message, cause === undefined ? undefined : { cause });
}

/** What everybody is told while all together ask for too much. */
export const TOO_MANY_REQUESTS = "There are too many requests at once: try again in a second.";

export function tooManyRequests(): Problem {
  return new Problem("overloaded", TOO_MANY_REQUESTS, { retryAfter: 1 });
}
