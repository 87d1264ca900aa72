import { createHash, randomBytes } from "node:crypto";
import { authenticationCode, isAuthentic, readBase64Url } from "#foundation/text/authentic.js";

/** Distinguishes signatures of nonces from other signatures made with the same secret. */
const PURPOSE = "learning-credentials wallet nonce v1";

export const NONCE_LIFETIME_S = 300;

const RANDOM_BYTES = 16;
const TIME_BYTES = 6;
const MAC_BYTES = 32;

/**
 * Returns a nonce, which consists of random bits, its expiry, and an HMAC of both. Only used nonces are stored.
 */
export function newNonce(secret: string, now: number): string {
  const body = Buffer.alloc(RANDOM_BYTES + TIME_BYTES);
  randomBytes(RANDOM_BYTES).copy(body);
  body.writeUIntBE(Math.floor(now / 1000) + NONCE_LIFETIME_S, RANDOM_BYTES, TIME_BYTES);
  return Buffer.concat([body, authenticationCode(secret, PURPOSE, body)]).toString("base64url");
}

/**
 * Returns whether this service made the nonce and the nonce has not expired. Does not check whether it was used.
 * @param secrets all secrets with which it may have been made
 */
export function isNonce(secrets: readonly string[], nonce: string, now: number): boolean {
  const bytes = readBase64Url(nonce);
  if (bytes?.length !== RANDOM_BYTES + TIME_BYTES + MAC_BYTES) return false;
  const body = bytes.subarray(0, -MAC_BYTES);
  if (!isAuthentic(secrets, PURPOSE, body, bytes.subarray(-MAC_BYTES))) return false;
  return body.readUIntBE(RANDOM_BYTES, TIME_BYTES) * 1000 > now;
}

/** Returns the form in which codes, tokens and nonces are stored. */
export function hashOf(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}
