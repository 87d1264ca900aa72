import { createHmac, timingSafeEqual } from "node:crypto";

/** Separates these signatures from others made with the same secret. */
const PURPOSE = "learning-credentials file download v1";

/** A download link. Its signature proves that this service made it for this key and this expiry. */
export interface SignedLink {
  readonly key: string;
  /** Seconds since 1970, as written in the link. */
  readonly expires: string;
  /** HMAC-SHA256 in base64url. */
  readonly signature: string;
}

export function signLink(secret: string, key: string, expires: string): SignedLink {
  const signature = createHmac("sha256", secret).update(`${PURPOSE}\n${expires}\n${key}`).digest("base64url");
  return { key, expires, signature };
}

/** Tells whether the link was signed with one of the secrets and has not expired. */
export function isValidLink(secrets: readonly string[], link: SignedLink, now: Date): boolean {
  return secrets.some((secret) => isSignedWith(secret, link)) && now.getTime() < Number(link.expires) * 1000;
}

function isSignedWith(secret: string, { key, expires, signature }: SignedLink): boolean {
  // Compares texts rather than decoded bytes, because base64 can encode the same bytes in several ways.
  const given = Buffer.from(signature);
  const right = Buffer.from(signLink(secret, key, expires).signature);
  return given.length === right.length && timingSafeEqual(given, right);
}
