import type { IncomingMessage } from "node:http";
import { acceptRequestId } from "#api/pipeline/request-id.js";

const id = Symbol("request id");

/**
 * Returns the caller's request id if it is safe to use in a log and a header. Otherwise, generates an id, which stays
 * the same for this request.
 */
export function requestIdOf(request: IncomingMessage & { [id]?: string }): string {
  if (request[id] === undefined) {
    const candidate = request.headers["x-request-id"];
    request[id] = acceptRequestId(typeof candidate === "string" ? candidate : undefined);
  }
  return request[id];
}
