import type { IncomingMessage } from "node:http";
import { acceptRequestId } from "#api/pipeline/request-id.js";

const id = Symbol("request id");

/** Returns the request id that the caller sent. If there is none, generates one and reuses it for this request. */
export function requestIdOf(request: IncomingMessage & { [id]?: string }): string {
  if (request[id] === undefined) {
    const candidate = request.headers["x-request-id"];
    request[id] = acceptRequestId(typeof candidate === "string" ? candidate : undefined);
  }
  return request[id];
}
