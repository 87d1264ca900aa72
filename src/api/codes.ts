import { Code, ConnectError } from "@connectrpc/connect";
import { describeOutage } from "../db/outage.js";
import { Problem, type ProblemKind } from "../errors.js";

const codes: Record<ProblemKind, Code> = {
  invalid: Code.InvalidArgument,
  unauthenticated: Code.Unauthenticated,
  "permission-denied": Code.PermissionDenied,
  "not-found": Code.NotFound,
  "already-exists": Code.AlreadyExists,
  "failed-precondition": Code.FailedPrecondition,
  aborted: Code.Aborted,
  "out-of-range": Code.OutOfRange,
  "resource-exhausted": Code.ResourceExhausted,
  overloaded: Code.ResourceExhausted,
  unavailable: Code.Unavailable,
  "deadline-exceeded": Code.DeadlineExceeded,
  cancelled: Code.Canceled,
};

/** The error that a caller gets, with its gRPC code. What is not a `Problem` is masked: its text never reaches a caller. */
export function toRpcError(error: unknown): ConnectError {
  if (error instanceof Problem) {
    // A message may quote half a surrogate pair: neither gRPC nor gRPC-Web can send that.
    const metadata = error.retryAfter === undefined ? undefined : { "retry-after": String(error.retryAfter) };
    return new ConnectError(error.message.toWellFormed(), codes[error.kind], metadata, undefined, error);
  }
  const outage = describeOutage(error);
  if (outage !== undefined) return new ConnectError(outage, Code.Unavailable, undefined, undefined, error);
  return new ConnectError("internal error", Code.Internal, undefined, undefined, error);
}
