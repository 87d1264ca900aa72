import { shorten } from "./shorten.js";
/**
 * The kinds of errors that callers distinguish. `pipeline/codes.ts` maps them to gRPC codes, and
 * `edges/http/http-status.ts` maps the codes to HTTP statuses. Any other exception is a defect or a failed dependency,
 * and its message is hidden from callers.
 */
export type ProblemKind =
  | "invalid" // the request can never succeed
  | "unauthenticated"
  | "permission-denied"
  | "not-found"
  | "already-exists"
  | "failed-precondition" // the request is valid, but the service's state doesn't permit it
  | "gone" // permanently unavailable: also FAILED_PRECONDITION in gRPC, but 410 in HTTP
  | "aborted" // conflict with another change: read again, then decide
  | "out-of-range"
  | "resource-exhausted" // one client exceeds its limits
  | "too-large" // a request is too large, regardless of the client: also RESOURCE_EXHAUSTED in gRPC, but 413 in HTTP
  | "overloaded" // all clients together exceed the limits: also RESOURCE_EXHAUSTED in gRPC, but 503 in HTTP
  | "unavailable" // a dependency is unavailable: retry
  | "deadline-exceeded"
  | "cancelled";

/** Dependencies. Work that needs them waits until an outage is over. */
export type Outage = "store" | "mail" | "timestamps";

/** Resources that can be temporarily overloaded. As in an outage, the work itself is not at fault. */
export type Shortage = "database" | "processor";

/**
 * Reasons that programs can evaluate. The meaning of a reason never changes; reasons may be added. See
 * `.docs/errors.md`.
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
  "LAST_ADMIN",
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

/** The reason of a problem that doesn't state a reason itself, by kind. */
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

export interface ProblemOptions {
  readonly cause?: unknown;
  /** Seconds after which the same request may succeed. */
  readonly retryAfter?: number;
  readonly outage?: Outage | Shortage;
  /** Default: the reason for the kind */
  readonly reason?: Reason;
  /** Path of the invalid field in the request, for example `filter.uuids[1]`. */
  readonly field?: string | undefined;
  /** Values in the message, for programs that write their own messages. */
  readonly facts?: Readonly<Record<string, string>>;
}

/**
 * An error whose message is shown to the caller. The message says what is wrong with which value, and what would be
 * right.
 */
export class Problem extends Error {
  override readonly name = "Problem";
  /** Seconds after which the same request may succeed. */
  readonly retryAfter: number | undefined;
  /** The dependency or resource that caused the problem. If it is set, the request is not at fault. */
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

export function invalid(message: string, cause?: unknown): Problem {
  return new Problem("invalid", message, cause === undefined ? undefined : { cause });
}

/**
 * The message should name the field as well.
 * @param field path of the field
 */
export function invalidField(field: string, message: string): Problem {
  return new Problem("invalid", message, { field });
}

/**
 * The message begins with the path of the field.
 * @param what the rest of the message
 */
export function wrongField(field: string, what: string): Problem {
  return invalidField(field, `${field} ${what}`);
}

/**
 * Creates a `Problem` about a change that is based on an outdated state.
 * @param what the subject of the sentence, for example `Asset seal`
 */
export function changedMeanwhile(
  what: string,
  { isDeleted = false, ...options }: Pick<ProblemOptions, "field" | "facts"> & { isDeleted?: boolean } = {},
): Problem {
  const how = isDeleted ? "deleted" : "changed";
  return new Problem("aborted", `${what} was ${how} since its etag was read: read it again, then retry.`, {
    ...options,
    reason: "ETAG_MISMATCH",
  });
}

export function failedPrecondition(message: string, options?: ProblemOptions): Problem {
  return new Problem("failed-precondition", message, options);
}

/** Message for all clients when they exceed the limits together. */
export const TOO_MANY_REQUESTS = "There are too many requests at once: try again in a second.";

export function tooManyRequests(options?: ProblemOptions): Problem {
  return new Problem("overloaded", TOO_MANY_REQUESTS, { retryAfter: 1, ...options });
}

/** Handles the rejection of a file operation: returns undefined if the file doesn't exist, and throws other errors. */
export function ignoreMissingFile(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}

/**
 * Maximum length of a quoted value, with the ellipsis. Messages are sent in gRPC headers, where a long message would
 * make the call fail.
 */
const MAX_SHOWN = 101;

/** Quotes a value, shortens it, and escapes characters that could disturb a line, a log or a terminal. */
export function quoted(text: string): string {
  return escapeInvisible(JSON.stringify(shorten(text, MAX_SHOWN)));
}

/** Prepares a value for a message without quotes. */
export function printable(text: string, max = MAX_SHOWN): string {
  return escapeInvisible(shorten(text, max));
}

/** Escapes control characters, direction controls and line separators. */
function escapeInvisible(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
