import { ConnectError } from "@connectrpc/connect";
import { BadRequestSchema } from "#gen/google/rpc/error_details_pb.js";

/** Returns the path of the request's field that an error is about; undefined if it is about none. */
export function fieldOfError(error: unknown): string | undefined {
  const [wrong] = ConnectError.from(error).findDetails(BadRequestSchema);
  return wrong?.fieldViolations[0]?.field;
}
