import { verifyPlace } from "../../credentials/verify-url.js";

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
 * or a whole verification address of ours, with `http`, `https` or neither. A line may be pasted as it stands on a certificate.
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
