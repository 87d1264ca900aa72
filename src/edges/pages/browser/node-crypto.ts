import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";

/**
 * Returns the SHA-256 of a text in UTF-8, in lower-case hexadecimal. Replaces `hash` of `node:crypto` because browsers
 * hash only asynchronously, and computing the canonical form of a document needs hashes synchronously.
 */
export function hash(algorithm: "sha256", text: string): string {
  if (algorithm !== "sha256") throw new Error(`${algorithm} is not known here`);
  return bytesToHex(sha256(new TextEncoder().encode(text)));
}
