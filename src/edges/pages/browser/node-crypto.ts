import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";

/**
 * SHA-256 of a text in UTF-8, in lower-case hexadecimal. Stands in for `hash` of `node:crypto`: browsers hash
 * only asynchronously, and the canonical form of a document needs hashes at once.
 */
export function hash(algorithm: "sha256", text: string): string {
  if (algorithm !== "sha256") throw new Error(`${algorithm} is not known here`);
  return bytesToHex(sha256(new TextEncoder().encode(text)));
}
