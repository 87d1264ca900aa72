import type { Credential } from "../credential.js";
import { type LinkSubject, readLinkToken, signLinkToken } from "../signed-link.js";

const PURPOSE = "learning-credentials wallet link v1";

/**
 * Returns the interaction URL of a credential (VCALM 1.0, 3.7), which is a page for its holder that also lists the
 * protocols for wallets. Anyone with the URL can get the badge. `RevokeDownloadLinks` revokes the URL.
 */
export function walletLink(publicUrl: string, secret: string, linked: LinkSubject): string {
  return `${publicUrl}/wallet/${signLinkToken(PURPOSE, secret, linked)}/?iuv=1`;
}

/** Returns undefined if this service did not make the link. */
export function readWalletToken(secrets: readonly string[], token: string): LinkSubject | undefined {
  return readLinkToken(PURPOSE, secrets, token);
}

/** Returns false if the link was revoked, or the credential doesn't exist. */
export function isCurrentLink(
  credential: Credential | undefined,
  linked: LinkSubject,
): credential is Credential {
  return credential !== undefined && credential.linkVersion === linked.linkVersion;
}
