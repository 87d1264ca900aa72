/**
 * What can go wrong, as callers see it: a closed set. `pipeline/codes.ts` maps it to gRPC codes, and
 * `edges/http/http-status.ts` maps those to HTTP statuses. Any other exception is a defect or a failed
 * dependency, and is masked.
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

/** What work may have to wait for, besides the database. */
export type Outage = "store" | "mail";

/** An error whose message is for the caller: what was wrong, with which value, and what would be right. */
export class Problem extends Error {
  override readonly name = "Problem";
  /** After how many seconds the same request may succeed, if known. */
  readonly retryAfter: number | undefined;
  /**
   * The unavailable, full or broken dependency, if that is the cause; then nothing is wrong with the request.
   */
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

/** Creates a `Problem` of kind `invalid`, by far the most frequent kind. */
export function invalid(message: string, cause?: unknown): Problem {
  return new Problem("invalid", message, cause === undefined ? undefined : { cause });
}

/** Message for everybody while all clients together ask for too much. */
export const TOO_MANY_REQUESTS = "There are too many requests at once: try again in a second.";

export function tooManyRequests(): Problem {
  return new Problem("overloaded", TOO_MANY_REQUESTS, { retryAfter: 1 });
}

/** Handles the rejection of a file operation: that there is no such file is no error, but undefined. */
export function unlessAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
