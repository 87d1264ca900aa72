import type { IncomingMessage } from "node:http";
import { acceptRequestId } from "../api/request-id.js";

/** The caller's id of a request, or one of ours. It is kept in the request, so that everybody gets the same. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers["x-request-id"];
  const id = acceptRequestId(typeof given === "string" ? given : undefined);
  headers["x-request-id"] = id;
  return id;
}
