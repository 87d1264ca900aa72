import { Code, type ConnectError } from "@connectrpc/connect";
import { Problem } from "#foundation/errors.js";

/**
 * HTTP statuses of gRPC codes, from google/rpc/code.proto. UNAUTHENTICATED is 403, because the contract of the REST API
 * requires it.
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
 * Returns the HTTP status of an error. It is 503 if all clients together overload the service, 413 if the body is too
 * large, and 410 if the resource is gone. Otherwise, it is the status of the error's code.
 */
export function httpStatusOf({ code, cause }: ConnectError): number {
  const kind = cause instanceof Problem ? cause.kind : undefined;
  if (kind === "overloaded") return 503;
  if (kind === "too-large") return 413;
  return kind === "gone" ? 410 : httpStatus[code];
}
