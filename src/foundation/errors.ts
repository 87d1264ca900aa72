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
  | "resource-exhausted" // someone asks for too much
  | "too-large" // one request is too large, whoever sends it: RESOURCE_EXHAUSTED, too, but 413 in HTTP
  | "overloaded" // all ask for too much together: RESOURCE_EXHAUSTED, too, but 503 in HTTP
  | "unavailable" // a dependency is out of reach: try again
  | "deadline-exceeded"
  | "cancelled";

/** What work may have to wait for until it can be used again. */
export type Outage = "store" | "mail" | "timestamps";

/** What may be too busy for work at the moment. Then nothing is wrong with the work, either. */
export type Shortage = "database" | "processor";

/**
 * Why something went wrong, in a word for programs. Words never change their meaning; new ones may come.
 * `.docs/errors.md` explains them.
 */
export const REASONS = [
  "INVALID_REQUEST",
  "INVALID_FIELD",
  "UNAUTHENTICATED",
  "PERMISSION_DENIED",
  "ROLE_MISSING",
  "SCOPE_MISSING",
  "ACCOUNT_NOT_ACTIVE",
  "NOT_FOUND",
  "CREDENTIAL_NOT_FOUND",
  "LEARNER_NOT_FOUND",
  "LEARNING_CONTEXT_NOT_FOUND",
  "CONFIGURATION_NOT_FOUND",
  "CREDENTIAL_TYPE_NOT_FOUND",
  "ASSET_NOT_FOUND",
  "RUN_NOT_FOUND",
  "WEBHOOK_ENDPOINT_NOT_FOUND",
  "ALREADY_EXISTS",
  "FAILED_PRECONDITION",
  "NOT_ELIGIBLE",
  "NOT_EARNED_ANEW",
  "CLAIM_NOT_ALLOWED",
  "NO_FULL_NAME",
  "NO_CONTEXT_RECORD",
  "NOT_PRINTABLE",
  "WRONG_STATUS",
  "INVALIDATED_BEFORE",
  "RENEWED",
  "EXPIRED",
  "INVALIDATED",
  "LEARNER_ERASED",
  "NO_BADGE",
  "NO_HTTPS",
  "ISSUED_ELSEWHERE",
  "IN_USE",
  "NO_ADDRESS",
  "GONE",
  "CONFLICT",
  "PLAN_CHANGED",
  "ETAG_MISMATCH",
  "OUT_OF_RANGE",
  "TOO_MUCH",
  "OVERLOADED",
  "UNAVAILABLE",
  "DATABASE_UNAVAILABLE",
  "STORE_UNAVAILABLE",
  "MAIL_UNAVAILABLE",
  "DEADLINE_EXCEEDED",
  "CANCELLED",
  "INTERNAL",
] as const;

export type Reason = (typeof REASONS)[number];

/** The reason of a problem that states none. */
const defaultReasons: Record<ProblemKind, Reason> = {
  invalid: "INVALID_REQUEST",
  unauthenticated: "UNAUTHENTICATED",
  "permission-denied": "PERMISSION_DENIED",
  "not-found": "NOT_FOUND",
  "already-exists": "ALREADY_EXISTS",
  "failed-precondition": "FAILED_PRECONDITION",
  gone: "GONE",
  aborted: "CONFLICT",
  "out-of-range": "OUT_OF_RANGE",
  "resource-exhausted": "TOO_MUCH",
  "too-large": "TOO_MUCH",
  overloaded: "OVERLOADED",
  unavailable: "UNAVAILABLE",
  "deadline-exceeded": "DEADLINE_EXCEEDED",
  cancelled: "CANCELLED",
};

const reasonsOfOutages: Record<Outage | Shortage, Reason> = {
  database: "DATABASE_UNAVAILABLE",
  processor: "OVERLOADED",
  store: "STORE_UNAVAILABLE",
  mail: "MAIL_UNAVAILABLE",
  timestamps: "UNAVAILABLE",
};

/** What a problem may state besides its message. */
export interface ProblemOptions {
  readonly cause?: unknown;
  /** After how many seconds the same request may succeed. */
  readonly retryAfter?: number;
  readonly outage?: Outage | Shortage;
  /** Default: a reason that says no more than the kind. */
  readonly reason?: Reason;
  /** Path of the field of the request that is wrong, such as `filter.uuids[1]`. */
  readonly field?: string | undefined;
  /** Values that the message names, for programs that word it themselves. */
  readonly facts?: Readonly<Record<string, string>>;
}

/** An error whose message is for the caller: what was wrong, with which value, and what would be right. */
export class Problem extends Error {
  override readonly name = "Problem";
  /** After how many seconds the same request may succeed, if known. */
  readonly retryAfter: number | undefined;
  /**
   * The unavailable, full, broken or busy dependency, if that is the cause; then nothing is wrong with the request.
   */
  readonly outage: Outage | Shortage | undefined;
  readonly reason: Reason;
  readonly field: string | undefined;
  readonly facts: Readonly<Record<string, string>> | undefined;

  constructor(
    readonly kind: ProblemKind,
    message: string,
    options: ProblemOptions = {},
  ) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    const { outage, field } = options;
    const ofField = field === undefined ? undefined : "INVALID_FIELD";
    const ofOutage = outage && reasonsOfOutages[outage];
    this.retryAfter = options.retryAfter;
    this.outage = outage;
    this.field = field;
    this.facts = options.facts;
    this.reason = options.reason ?? ofField ?? ofOutage ?? defaultReasons[kind];
  }
}

/** Creates a `Problem` of kind `invalid`, by far the most frequent kind. */
export function invalid(message: string, cause?: unknown): Problem {
  return new Problem("invalid", message, cause === undefined ? undefined : { cause });
}

/** Creates the same for a field of the request, named by its path. The message names it, too. */
export function invalidField(field: string, message: string, cause?: unknown): Problem {
  return new Problem("invalid", message, cause === undefined ? { field } : { field, cause });
}

/** Creates the same with a message that begins with the field. @param what the rest of the message */
export function wrongField(field: string, what: string): Problem {
  return invalidField(field, `${field} ${what}`);
}

/** Creates a `Problem` about what has to be so before. */
export function failedPrecondition(message: string, options?: ProblemOptions): Problem {
  return new Problem("failed-precondition", message, options);
}

/** Message for everyone while all clients together ask for too much. */
export const TOO_MANY_REQUESTS = "There are too many requests at once: try again in a second.";

export function tooManyRequests(options?: ProblemOptions): Problem {
  return new Problem("overloaded", TOO_MANY_REQUESTS, { retryAfter: 1, ...options });
}

/** Handles the rejection of a file operation: that there is no such file is no error, but undefined. */
export function unlessAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
