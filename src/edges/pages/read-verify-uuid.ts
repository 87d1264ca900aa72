import { dashes, findUuid } from "#domain/credentials/find-uuid.js";
import { readShortCode } from "#domain/credentials/short-code.js";
import { shortUrlBase, verifyUrlBase } from "#domain/credentials/verify-url.js";
import { uuidOfHex } from "#foundation/text/uuid-of-hex.js";

/** Matches words before the UUID, as on a certificate: "Credential ID", "Verify at". */
const label = /^\s*(?:\p{L}[\p{L}\p{M}'’.]*:?\s+){1,6}/u;

const punctuation = /[\s.,;!)]+$/u;

/** Maximum number of characters in a line of a certificate. */
const MAX_LABELLED = 1000;

/**
 * Reads the verification UUID in pasted or linked text. Accepts what `readVerifyAddress` accepts, and text that
 * contains exactly one UUID.
 * @returns the UUID in lower case with dashes; undefined if there is none
 */
export function readVerifyUuid(text: string, publicUrl: string): string | undefined {
  return readVerifyAddress(text, publicUrl) ?? findUuid(text);
}

/**
 * Reads a verification UUID in upper or lower case, with or without dashes, spaces, braces and `urn:uuid:`. Also
 * accepts our long and short verification URLs (with `http`, `https` or neither), the code of a short URL, and a whole
 * line of a certificate.
 * @returns the UUID in lower case with dashes; undefined if there is none
 */
export function readVerifyAddress(text: string, publicUrl: string): string | undefined {
  const bare = readUnlabelled(text, publicUrl);
  if (bare !== undefined || text.length > MAX_LABELLED) return bare;
  const ended = text.replace(punctuation, "");
  return readUnlabelled(ended, publicUrl) ?? readUnlabelled(ended.replace(label, ""), publicUrl);
}

function readUnlabelled(text: string, publicUrl: string): string | undefined {
  const pasted = text.replace(/[\s\p{Cf}]/gu, "").toLowerCase();
  const ours = withoutScheme(verifyUrlBase(publicUrl).toLowerCase());
  const address = withoutScheme(pasted);
  const short = shortUrlBase(publicUrl).toLowerCase();
  const isShort = address.startsWith(short);
  const code = readShortCode(isShort ? address.slice(short.length).replace(/[/?#].*$/, "") : pasted);
  if (isShort || code !== undefined) return code;
  const named = address.startsWith(ours) ? address.slice(ours.length).replace(/[/?#].*$/, "") : pasted;
  const digits = named
    .replace(/^urn:uuid:/, "")
    .replace(/^\{(.*)\}$/, "$1")
    .replace(dashes, "");
  if (!/^[0-9a-f]{32}$/.test(digits)) return undefined;
  return uuidOfHex(digits);
}

function withoutScheme(url: string): string {
  return url.replace(/^https?:\/\//, "");
}
