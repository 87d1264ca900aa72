import { createHmac, timingSafeEqual } from "node:crypto";
import type { Credential } from "../credential.js";

/** Separates these signatures from others made with the same secret. */
const PURPOSE = "learning-credentials mailed link v1";

const UUID_BYTES = 16;
const VERSION_BYTES = 4;
/** The UUID, the version and an HMAC-SHA256, encoded as base64url. */
const pattern = /^[\w-]{70}$/;

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
  if (!pattern.test(token)) return undefined;
  const bytes = Buffer.from(token, "base64url");
  const digits = bytes.toString("hex", 0, UUID_BYTES);
  const linked = {
    uuid: digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5"),
    linkVersion: bytes.readUInt32BE(UUID_BYTES),
  };
  // Compares texts rather than decoded bytes, because base64 can encode the same bytes in several ways.
  const given = Buffer.from(token);
  const isOurs = secrets.some((secret) => timingSafeEqual(given, Buffer.from(signToken(secret, linked))));
  return isOurs ? linked : undefined;
}

function signToken(secret: string, { uuid, linkVersion }: Linked): string {
  const named = Buffer.alloc(UUID_BYTES + VERSION_BYTES);
  named.write(uuid.replaceAll("-", ""), "hex");
  named.writeUInt32BE(linkVersion, UUID_BYTES);
  const signature = createHmac("sha256", secret).update(`${PURPOSE}\n`).update(named).digest();
  return Buffer.concat([named, signature]).toString("base64url");
}
