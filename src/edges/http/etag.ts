import { hash } from "node:crypto";
import type { Coding } from "./accept-encoding.js";

/**
 * Returns a strong entity tag for a text and its coding. It is a hash of the text, since texts that differ in one byte
 * need different tags. That costs 1 us for a response of the metadata route.
 */
export function etagOf(text: string | Uint8Array, coding: Coding | undefined): string {
  const digest = hash("sha256", text, "base64url").slice(0, 22);
  return coding === undefined ? `"${digest}"` : `"${digest}.${coding}"`;
}

/** One entity tag of a list and its separator; the quoted part is captured (RFC 9110, 8.8.3). */
const listed = /[ \t,]*(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")[ \t]*(?:,|$)/y;

/**
 * Returns whether an `If-None-Match` header contains this tag, by weak comparison (RFC 9110, 13.1.2). False if the
 * header is malformed.
 */
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
