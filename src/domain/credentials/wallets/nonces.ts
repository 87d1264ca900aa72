import { createHash, randomBytes } from "node:crypto";
import { authenticationCode, isAuthentic, readBase64Url } from "#foundation/text/authentic.js";

/** Distinguishes these signatures from others made with the same secret. */
const PURPOSE = "learning-credentials wallet nonce v1";

/** Lifetime of a nonce, in seconds. */
export const NONCE_LIFETIME_S = 300;

const RANDOM_BYTES = 16;
const TIME_BYTES = 6;
const MAC_BYTES = 32;

/** Creates a nonce that needs no row until it is used: random bits, its expiry, and an HMAC over both. */
export function newNonce(secret: string, now: number): string {
  const body = Buffer.alloc(RANDOM_BYTES + TIME_BYTES);
  randomBytes(RANDOM_BYTES).copy(body);
  body.writeUIntBE(Math.floor(now / 1000) + NONCE_LIFETIME_S, RANDOM_BYTES, TIME_BYTES);
  return Buffer.concat([body, authenticationCode(secret, PURPOSE, body)]).toString("base64url");
}

/**
 * Returns whether a nonce was made with any of the secrets and has not expired. It does not check whether the nonce was
 * used.
 */
export function isNonce(secrets: readonly string[], nonce: string, now: number): boolean {
  const bytes = readBase64Url(nonce);
  if (bytes?.length !== RANDOM_BYTES + TIME_BYTES + MAC_BYTES) return false;
  const body = bytes.subarray(0, -MAC_BYTES);
  if (!isAuthentic(secrets, PURPOSE, body, bytes.subarray(-MAC_BYTES))) return false;
  return body.readUIntBE(RANDOM_BYTES, TIME_BYTES) * 1000 > now;
}

/** Returns the hash that is stored of a code, token or nonce. */
export function hashOf(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}
