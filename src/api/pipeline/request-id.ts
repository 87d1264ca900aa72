import { randomUUID } from "node:crypto";

/** Returns the caller's request id if it is safe to use in a log and a header; otherwise generates one. */
export function acceptRequestId(candidate: string | undefined): string {
  return candidate !== undefined && /^[\w.:-]{1,128}$/.test(candidate) ? candidate : randomUUID();
}
