import { createHash } from "node:crypto";

/** Returns the source expression of a content security policy that allows this inline style or script. */
export function cspHash(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
