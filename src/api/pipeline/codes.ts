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
 * Converts an error to the one that is sent to the caller, with its gRPC code. Errors other than `Problem` are masked:
 * their text never reaches a caller.
 */
export function toRpcError(error: unknown): ConnectError {
  if (error instanceof Problem) {
    // A message may contain an unpaired surrogate, which neither gRPC nor gRPC-Web can send.
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

/**
 * Creates the error without a stack trace: its cause has one, and capturing another costs as much as the rest of the
 * response.
 */
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
