import { Code, ConnectError } from "@connectrpc/connect";
import { Problem, type ProblemKind } from "#foundation/errors.js";
import { describeOutage, isBusy } from "#infrastructure/db/outage.js";
import { type Explained, errorDetails } from "./error-details.js";

const codes: Record<ProblemKind, Code> = {
  invalid: Code.InvalidArgument,
  unauthenticated: Code.Unauthenticated,
  "permission-denied": Code.PermissionDenied,
  "not-found": Code.NotFound,
  "already-exists": Code.AlreadyExists,
  "failed-precondition": Code.FailedPrecondition,
  gone: Code.FailedPrecondition,
  aborted: Code.Aborted,
  "out-of-range": Code.OutOfRange,
  "resource-exhausted": Code.ResourceExhausted,
  "too-large": Code.ResourceExhausted,
  overloaded: Code.ResourceExhausted,
  unavailable: Code.Unavailable,
  "deadline-exceeded": Code.DeadlineExceeded,
  cancelled: Code.Canceled,
};

/**
 * Converts an error to the one that the caller receives, with its gRPC code. Hides the text of all errors except
 * `Problem`.
 */
export function toRpcError(error: unknown): ConnectError {
  if (error instanceof Problem) {
    // gRPC and gRPC-Web can't send a message that contains an unpaired surrogate.
    const message = error.message.toWellFormed();
    const metadata = error.retryAfter === undefined ? undefined : { "retry-after": String(error.retryAfter) };
    return rpcError(message, codes[error.kind], error, error, metadata);
  }
  const outage = describeOutage(error);
  if (outage !== undefined) {
    const metadata = isBusy(error) ? { "retry-after": "1" } : undefined;
    return rpcError(outage, Code.Unavailable, error, { reason: "DATABASE_UNAVAILABLE" }, metadata);
  }
  return rpcError("internal error", Code.Internal, error, { reason: "INTERNAL" });
}

/** Creates an error without a stack trace. The trace would cost as much as the rest of the response. */
function rpcError(
  message: string,
  code: Code,
  cause: unknown,
  explained: Explained,
  metadata?: Record<string, string>,
): ConnectError {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return new ConnectError(message, code, metadata, errorDetails(explained, message), cause);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
