import { createPrivateKey } from "node:crypto";
import { newSigningKey, readSigningKey } from "#formats/badges/signing-key.js";

/** The PKCS#8 header that precedes the 32 bytes of an Ed25519 key (RFC 8410). */
const PKCS8_HEAD = Buffer.from("302e020100300506032b657004220420", "hex");

/** Returns the key of a published test vector. */
export function ed25519KeyOf(seed: Uint8Array) {
  const der = Buffer.concat([PKCS8_HEAD, seed]);
  const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  return readSigningKey(key.export({ type: "pkcs8", format: "pem" }) as string);
}

export const ed25519 = readSigningKey(newSigningKey("Ed25519"));
export const p256 = readSigningKey(newSigningKey("P-256"));
