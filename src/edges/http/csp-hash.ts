import { createHash } from "node:crypto";

/** Returns the source expression with which a content security policy allows an inline style or script. */
export function cspHash(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
