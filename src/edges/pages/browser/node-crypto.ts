import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";

// Replaces `node:crypto`, because the hash functions of browsers are asynchronous.

/** Returns the SHA-256 of a text in hexadecimal. */
export function hash(algorithm: "sha256", text: string): string {
  return bytesToHex(createHash(algorithm).update(text).digest());
}

export function createHash(algorithm: "sha256") {
  if (algorithm !== "sha256") throw new Error(`${algorithm} is not known here`);
  return sha256.create();
}
