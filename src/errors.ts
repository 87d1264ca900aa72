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
  | "resource-exhausted"
  | "unavailable" // a dependency is out of reach: try again
  | "deadline-exceeded"
  | "cancelled";

/** An error whose message is written for the caller: what was wrong, with which value, and what would be right. */
export class Problem extends Error {
  override readonly name = "Problem";

  constructor(
    readonly kind: ProblemKind,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

/** A `Problem` of kind `invalid`: by far the most frequent. */
export function invalid(message: string, cause?: unknown): Problem {
  return new Problem("invalid", message, cause === undefined ? undefined : { cause });
}
