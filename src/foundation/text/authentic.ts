import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * Returns the HMAC-SHA256 of a content.
 * @param purpose separates it from others that are made with the same secret
 */
export function authenticationCode(secret: string, purpose: string, content: string | Buffer): Buffer {
  return createHmac("sha256", secret).update(`${purpose}\n`).update(content).digest();
}

/** Tells, in constant time, whether the code was made with one of the secrets. */
export function isAuthentic(
  secrets: readonly string[],
  purpose: string,
  content: string | Buffer,
  code: Buffer,
): boolean {
  return secrets.some((secret) => {
    const expected = authenticationCode(secret, purpose, content);
    return code.length === expected.length && timingSafeEqual(code, expected);
  });
}

/**
 * Reads base64url; undefined if the bytes would be written differently. Otherwise one token could have several
 * forms.
 */
export function readBase64Url(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, "base64url");
  return bytes.toString("base64url") === text ? bytes : undefined;
}
