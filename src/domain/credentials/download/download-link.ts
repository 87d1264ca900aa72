import { type LinkSubject, readLinkToken, signLinkToken } from "../signed-link.js";

const PURPOSE = "learning-credentials mailed link v1";

/** Returns a link that does not expire. Incrementing the credential's `linkVersion` revokes it. */
export function downloadLink(publicUrl: string, secret: string, linked: LinkSubject): string {
  return `${publicUrl}/download/${signLinkToken(PURPOSE, secret, linked)}/`;
}

/**
 * @param secrets all secrets with which the link may have been signed
 * @returns undefined if this service did not make the link
 */
export function readDownloadToken(secrets: readonly string[], token: string): LinkSubject | undefined {
  return readLinkToken(PURPOSE, secrets, token);
}
