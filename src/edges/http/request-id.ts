import type { IncomingMessage } from "node:http";
import { acceptRequestId } from "#api/pipeline/request-id.js";

/** Key under which the id is stored in the request, so that all readers get the same id. */
const id = Symbol("request id");

/** Returns the request id that the caller sent, or generates one. */
export function requestIdOf(request: IncomingMessage & { [id]?: string }): string {
  if (request[id] === undefined) {
    const candidate = request.headers["x-request-id"];
    request[id] = acceptRequestId(typeof candidate === "string" ? candidate : undefined);
  }
  return request[id];
}
