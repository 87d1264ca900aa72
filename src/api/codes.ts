import { Code, ConnectError } from "@connectrpc/connect";
import { isOutage } from "../db/outage.js";
import { Problem, type ProblemKind } from "../errors.js";

const codes: Record<ProblemKind, Code> = {
  invalid: Code.InvalidArgument,
  unauthenticated: Code.Unauthenticated,
  "permission-denied": Code.PermissionDenied,
  "not-found": Code.NotFound,
  "already-exists": Code.AlreadyExists,
  "failed-precondition": Code.FailedPrecondition,
  "resource-exhausted": Code.ResourceExhausted,
  unavailable: Code.Unavailable,
  "deadline-exceeded": Code.DeadlineExceeded,
  cancelled: Code.Canceled,
};

/** The error that a caller gets, with its gRPC code. What is not a `Problem` is masked: its text never reaches a caller. */
export function toRpcError(error: unknown): ConnectError {
  if (error instanceof Problem) {
    // A message may quote half a surrogate pair: neither gRPC nor gRPC-Web can send that.
    return new ConnectError(error.message.toWellFormed(), codes[error.kind], undefined, undefined, error);
  }
  if (isOutage(error)) {
    const message = "The database is out of reach: try again later.";
    return new ConnectError(message, Code.Unavailable, undefined, undefined, error);
  }
  return new ConnectError("internal error", Code.Internal, undefined, undefined, error);
}
