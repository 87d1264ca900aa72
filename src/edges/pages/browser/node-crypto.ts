import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";

/**
 * Returns the SHA-256 of a text in hexadecimal. Replaces `hash` of `node:crypto`: canonical forms need synchronous
 * hashes, and the hash functions of browsers are asynchronous.
 */
export function hash(algorithm: "sha256", text: string): string {
  if (algorithm !== "sha256") throw new Error(`${algorithm} is not known here`);
  return bytesToHex(sha256(new TextEncoder().encode(text)));
}
