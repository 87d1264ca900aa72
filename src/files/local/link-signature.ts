import { createHmac, timingSafeEqual } from "node:crypto";

/** Keeps these signatures apart from whatever else the secret signs. */
const PURPOSE = "learning-credentials file download v1";

/** What a download link proves: that we made it for this key, until then. */
export interface SignedLink {
  readonly key: string;
  /** Seconds since 1970, as they stand in the link. */
  readonly expires: string;
  /** HMAC-SHA256 in base64url. */
  readonly signature: string;
}

export function signLink(secret: string, key: string, expires: string): SignedLink {
  const signature = createHmac("sha256", secret).update(`${PURPOSE}\n${expires}\n${key}`).digest("base64url");
  return { key, expires, signature };
}

/** Whether the link was signed with one of the secrets and still holds. */
export function isValidLink(secrets: readonly string[], link: SignedLink, now: Date): boolean {
  return secrets.some((secret) => isSignedWith(secret, link)) && now.getTime() < Number(link.expires) * 1000;
}

function isSignedWith(secret: string, { key, expires, signature }: SignedLink): boolean {
  // The texts are compared, not the bytes they stand for: base64 can write the same bytes in several ways.
  const given = Buffer.from(signature);
  const right = Buffer.from(signLink(secret, key, expires).signature);
  return given.length === right.length && timingSafeEqual(given, right);
}
