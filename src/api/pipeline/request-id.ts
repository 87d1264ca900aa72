import { randomUUID } from "node:crypto";

/** Accepts the caller's request id if it is safe in a log and a header; generates one otherwise. */
export function acceptRequestId(given: string | undefined): string {
  return given !== undefined && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID();
}
