import type { IncomingMessage } from "node:http";
import { acceptRequestId } from "../../pipeline/request-id.js";

/** Kept in the request, so that everybody gets the same. */
const id = Symbol("request id");

/** The caller's id of a request, or one of ours. */
export function requestIdOf(request: IncomingMessage & { [id]?: string }): string {
  if (request[id] === undefined) {
    const given = request.headers["x-request-id"];
    request[id] = acceptRequestId(typeof given === "string" ? given : undefined);
  }
  return request[id];
}
