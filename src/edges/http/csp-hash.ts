import { createHash } from "node:crypto";

/** Returns how a content security policy names an inline style or script. */
export function cspHash(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
