import { verifyPlace } from "../../credentials/verify-url.js";

/** What documents and programs print for a dash. */
const dashes = /[\u2010-\u2015\u2212\ufe58\ufe63\uff0d-]/g;

/**
 * The verification UUID in what somebody has pasted: with or without dashes, spaces, braces and `urn:uuid:`, in either case,
 * or a whole verification address of ours, with `http`, `https` or neither.
 * @returns in lower case with dashes; undefined when it can't be read
 */
export function readVerifyUuid(text: string, publicUrl: string): string | undefined {
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
