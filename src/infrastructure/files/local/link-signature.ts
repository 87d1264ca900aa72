import { authenticationCode, isAuthentic, readBase64Url } from "#foundation/text/authentic.js";

/** Distinguishes these signatures from others with the same secret. */
const PURPOSE = "learning-credentials file download v1";

/** The signature proves that this service created the link for this key and this expiry. */
export interface SignedLink {
  readonly key: string;
  /** Seconds since 1970, as written in the link. */
  readonly expires: string;
  /** HMAC-SHA256 in base64url. */
  readonly signature: string;
}

export function signLink(secret: string, key: string, expires: string): SignedLink {
  const code = authenticationCode(secret, PURPOSE, contentOf({ key, expires }));
  return { key, expires, signature: code.toString("base64url") };
}

/** Returns whether the link was signed with one of the secrets and has not expired. */
export function isValidLink(secrets: readonly string[], link: SignedLink, now: Date): boolean {
  const code = readBase64Url(link.signature);
  if (!code || !isAuthentic(secrets, PURPOSE, contentOf(link), code)) return false;
  return now.getTime() < Number(link.expires) * 1000;
}

function contentOf({ key, expires }: Pick<SignedLink, "key" | "expires">): string {
  return `${expires}\n${key}`;
}
