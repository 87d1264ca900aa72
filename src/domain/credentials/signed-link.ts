import { authenticationCode, isAuthentic, readBase64Url } from "#foundation/text/authentic.js";
import { uuidOfHex } from "#foundation/text/uuid-of-hex.js";
import type { Credential } from "./credential.js";

/** A token is the base64url of the UUID, the version and an HMAC-SHA256 code. */
const [UUID_BYTES, VERSION_BYTES, CODE_BYTES] = [16, 4, 32];

/** Identifies a credential and the version of its links. */
export type LinkSubject = Pick<Credential, "uuid" | "linkVersion">;

/**
 * Signs a token that does not expire. Incrementing the credential's `linkVersion` revokes it.
 * @param purpose separates these signatures from others made with the same secret
 */
export function signLinkToken(purpose: string, secret: string, { uuid, linkVersion }: LinkSubject): string {
  const named = Buffer.alloc(UUID_BYTES + VERSION_BYTES);
  named.write(uuid.replaceAll("-", ""), "hex");
  named.writeUInt32BE(linkVersion, UUID_BYTES);
  return Buffer.concat([named, authenticationCode(secret, purpose, named)]).toString("base64url");
}

/**
 * @param secrets all secrets with which the link may have been signed
 * @returns undefined if this service did not make the link, or made it for another purpose
 */
export function readLinkToken(
  purpose: string,
  secrets: readonly string[],
  token: string,
): LinkSubject | undefined {
  const bytes = readBase64Url(token);
  if (bytes?.length !== UUID_BYTES + VERSION_BYTES + CODE_BYTES) return undefined;
  const named = bytes.subarray(0, -CODE_BYTES);
  if (!isAuthentic(secrets, purpose, named, bytes.subarray(-CODE_BYTES))) return undefined;
  return {
    uuid: uuidOfHex(named.toString("hex", 0, UUID_BYTES)),
    linkVersion: named.readUInt32BE(UUID_BYTES),
  };
}
