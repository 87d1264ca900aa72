import { ConnectError } from "@connectrpc/connect";
import { BadRequestSchema } from "#gen/google/rpc/error_details_pb.js";

/** Returns the path of the request field that caused the error, if any. */
export function fieldOfError(error: unknown): string | undefined {
  const [wrong] = ConnectError.from(error).findDetails(BadRequestSchema);
  return wrong?.fieldViolations[0]?.field;
}
