import { randomUUID } from "node:crypto";

/** Accepts the caller's id of a request when it can do no harm in a log or a header, and makes one otherwise. */
export function acceptRequestId(given: string | undefined): string {
  return given !== undefined && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID();
}
