import { gunzipSync } from "node:zlib";
import { fromBase64Url } from "./base64url.js";

/** Multibase prefix of base64url. */
export const MULTIBASE_PREFIX = "u";

/**
 * Maximum size of a decompressed list in bytes. Other issuers' lists can be larger than the lists of this service. The
 * limit prevents denial of service.
 */
const MAX_LIST = 16 * 1024 * 1024;

/** @returns undefined if the list can't be read, or doesn't have the bit */
export function readStatusBit(encodedList: string, index: number): boolean | undefined {
  const packed = encodedList[0] === MULTIBASE_PREFIX ? fromBase64Url(encodedList.slice(1)) : undefined;
  if (!packed || !Number.isSafeInteger(index) || index < 0) return undefined;
  try {
    const byte = gunzipSync(packed, { maxOutputLength: MAX_LIST })[Math.floor(index / 8)];
    return byte === undefined ? undefined : (byte & (0x80 >> (index % 8))) !== 0;
  } catch {
    return undefined;
  }
}
