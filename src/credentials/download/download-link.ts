import { authenticationCode, isAuthentic, readBase64Url } from "../../text/authentic.js";
import type { Credential } from "../credential.js";

/** Separates these signatures from others made with the same secret. */
const PURPOSE = "learning-credentials mailed link v1";

/** A token has the UUID, the version and an HMAC-SHA256, encoded as base64url. */
const [UUID_BYTES, VERSION_BYTES, CODE_BYTES] = [16, 4, 32];

/** What a link in a mail leads to. */
export type Linked = Pick<Credential, "uuid" | "linkVersion">;

/** Returns the link for a mail. It does not expire; changing the credential's `linkVersion` revokes it. */
export function downloadLink(publicUrl: string, secret: string, linked: Linked): string {
  return `${publicUrl}/download/${signToken(secret, linked)}/`;
}

/**
 * Reads the part of a link that identifies the credential.
 * @param secrets any of them may have signed the link
 * @returns undefined if this service did not make the link
 */
export function readDownloadToken(secrets: readonly string[], token: string): Linked | undefined {
  const bytes = readBase64Url(token);
  if (bytes?.length !== UUID_BYTES + VERSION_BYTES + CODE_BYTES) return undefined;
  const named = bytes.subarray(0, -CODE_BYTES);
  if (!isAuthentic(secrets, PURPOSE, named, bytes.subarray(-CODE_BYTES))) return undefined;
  const digits = named.toString("hex", 0, UUID_BYTES);
  return {
    uuid: digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5"),
    linkVersion: named.readUInt32BE(UUID_BYTES),
  };
}

function signToken(secret: string, { uuid, linkVersion }: Linked): string {
  const named = Buffer.alloc(UUID_BYTES + VERSION_BYTES);
  named.write(uuid.replaceAll("-", ""), "hex");
  named.writeUInt32BE(linkVersion, UUID_BYTES);
  return Buffer.concat([named, authenticationCode(secret, PURPOSE, named)]).toString("base64url");
}
