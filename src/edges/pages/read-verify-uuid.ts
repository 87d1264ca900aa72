import { readShortCode } from "../../credentials/verification/short-code.js";
import { shortPlace, verifyPlace } from "../../credentials/verification/verify-url.js";

/** What documents and programs print for a dash. */
const dashes = /[\u2010-\u2015\u2212\ufe58\ufe63\uff0d-]/g;

/** Words before what is meant, as on a certificate: "Credential ID", "Verify at". */
const label = /^\s*(?:\p{L}[\p{L}\p{M}'’.]*:?\s+){1,6}/u;

/** What ends a sentence. */
const punctuation = /[\s.,;!)]+$/u;

/** The most characters that a line of a certificate has. */
const MAX_LABELLED = 1000;

/**
 * Reads the verification UUID in what somebody has pasted: with or without dashes, spaces, braces and `urn:uuid:`, in either case;
 * or a whole verification address of ours, long or short, with `http`, `https` or neither, or the code of a short one. A line may be pasted as it stands on a certificate.
 * @returns in lower case with dashes; undefined when it can't be read
 */
export function readVerifyUuid(text: string, publicUrl: string): string | undefined {
  const bare = readBare(text, publicUrl);
  if (bare !== undefined || text.length > MAX_LABELLED) return bare;
  const ended = text.replace(punctuation, "");
  return readBare(ended, publicUrl) ?? readBare(ended.replace(label, ""), publicUrl);
}

function readBare(text: string, publicUrl: string): string | undefined {
  const pasted = text.replace(/[\s\p{Cf}]/gu, "").toLowerCase();
  const ours = withoutScheme(verifyPlace(publicUrl).toLowerCase());
  const address = withoutScheme(pasted);
  const short = shortPlace(publicUrl).toLowerCase();
  const isShort = address.startsWith(short);
  const code = readShortCode(isShort ? address.slice(short.length).replace(/[/?#].*$/, "") : pasted);
  if (isShort || code !== undefined) return code;
  const named = address.startsWith(ours) ? address.slice(ours.length).replace(/[/?#].*$/, "") : pasted;
  const digits = named
    .replace(/^urn:uuid:/, "")
    .replace(/^\{(.*)\}$/, "$1")
    .replace(dashes, "");
  if (!/^[0-9a-f]{32}$/.test(digits)) return undefined;
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

function withoutScheme(url: string): string {
  return url.replace(/^https?:\/\//, "");
}
