import { hash } from "node:crypto";
import type { Coding } from "./accept-encoding.js";

/** Returns a strong entity tag for a text and its coding. Hashing the text of a metadata response takes 1 us. */
export function etagOf(text: string | Uint8Array, coding: Coding | undefined): string {
  const digest = hash("sha256", text, "base64url").slice(0, 22);
  return coding === undefined ? `"${digest}"` : `"${digest}.${coding}"`;
}

/** Matches one entity tag of a list with its separator. Captures the quoted part (RFC 9110, 8.8.3). */
const listed = /[ \t,]*(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")[ \t]*(?:,|$)/y;

/** Returns whether `If-None-Match` contains this tag. Uses weak comparison (RFC 9110, 13.1.2). */
export function namesEtag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === etag || ifNoneMatch.trim() === "*") return true;
  let isNamed = false;
  listed.lastIndex = 0;
  for (let end = 0; end < ifNoneMatch.length; end = listed.lastIndex) {
    const tag = listed.exec(ifNoneMatch)?.[1];
    if (tag === undefined) return isNamed && /^[ \t,]*$/.test(ifNoneMatch.slice(end));
    isNamed ||= tag === etag;
  }
  return isNamed;
}
