import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * Returns an HMAC-SHA256.
 * @param purpose distinguishes codes for different purposes that use the same secret
 */
export function authenticationCode(secret: string, purpose: string, content: string | Buffer): Buffer {
  return createHmac("sha256", secret).update(`${purpose}\n`).update(content).digest();
}

/** Returns whether the code was made with one of the secrets, in constant time. */
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

/** Decodes base64url. Returns undefined if the spelling isn't canonical, because each token must have only one form. */
export function readBase64Url(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, "base64url");
  return bytes.toString("base64url") === text ? bytes : undefined;
}
