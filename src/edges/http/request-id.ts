import type { IncomingMessage } from "node:http";
import { acceptRequestId } from "#api/pipeline/request-id.js";

/** Stored in the request, so that every reader gets the same id. */
const id = Symbol("request id");

/** Returns the request id of the caller, or one of ours. */
export function requestIdOf(request: IncomingMessage & { [id]?: string }): string {
  if (request[id] === undefined) {
    const candidate = request.headers["x-request-id"];
    request[id] = acceptRequestId(typeof candidate === "string" ? candidate : undefined);
  }
  return request[id];
}
