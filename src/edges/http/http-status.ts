import { Code, type ConnectError } from "@connectrpc/connect";
import { Problem } from "#foundation/errors.js";

/**
 * The HTTP status of each gRPC code, as in google/rpc/code.proto (where FAILED_PRECONDITION is 400). The exception is
 * UNAUTHENTICATED: the contract requires 403.
 */
export const httpStatus: Readonly<Record<Code, number>> = {
  [Code.Canceled]: 499,
  [Code.Unknown]: 500,
  [Code.InvalidArgument]: 400,
  [Code.DeadlineExceeded]: 504,
  [Code.NotFound]: 404,
  [Code.AlreadyExists]: 409,
  [Code.PermissionDenied]: 403,
  [Code.ResourceExhausted]: 429,
  [Code.FailedPrecondition]: 400,
  [Code.Aborted]: 409,
  [Code.OutOfRange]: 400,
  [Code.Unimplemented]: 501,
  [Code.Internal]: 500,
  [Code.Unavailable]: 503,
  [Code.DataLoss]: 500,
  [Code.Unauthenticated]: 403,
};

/**
 * Returns the HTTP status of an error. Special cases are 503 if the service is overloaded by all clients together, 413
 * if the body is too large, and 410 if the resource is gone.
 */
export function httpStatusOf({ code, cause }: ConnectError): number {
  const kind = cause instanceof Problem ? cause.kind : undefined;
  if (kind === "overloaded") return 503;
  if (kind === "too-large") return 413;
  return kind === "gone" ? 410 : httpStatus[code];
}
