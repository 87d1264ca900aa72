import { type Linked, readLinkToken, signLinkToken } from "../signed-link.js";

const PURPOSE = "learning-credentials mailed link v1";

/** Returns the link for an email. It does not expire; changing the credential's `linkVersion` revokes it. */
export function downloadLink(publicUrl: string, secret: string, linked: Linked): string {
  return `${publicUrl}/download/${signLinkToken(PURPOSE, secret, linked)}/`;
}

/**
 * Reads the part of a link that identifies the credential.
 * @param secrets any of them may have signed the link
 * @returns undefined if this service did not make the link
 */
export function readDownloadToken(secrets: readonly string[], token: string): Linked | undefined {
  return readLinkToken(PURPOSE, secrets, token);
}
