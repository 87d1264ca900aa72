import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { type KeyAlgorithm, publicKeyOf, type SigningKey } from "./public-key.js";

/**
 * Reads a private key from PEM.
 * @throws RangeError that describes the problem, without revealing any of the key
 */
export function readSigningKey(pem: string): SigningKey {
  const key = parse(pem);
  const publicKey = publicKeyOf(key);
  if (!publicKey) {
    const kind = key.asymmetricKeyDetails?.namedCurve ?? key.asymmetricKeyType;
    throw new RangeError(`contains a private key of kind ${kind}: only Ed25519 and P-256 keys can sign`);
  }
  const scheme = publicKey.algorithm === "Ed25519" ? null : "sha256";
  return {
    ...publicKey,
    sign: async (bytes) => sign(scheme, bytes, { key, dsaEncoding: "ieee-p1363" }),
  };
}

/** Generates a private key as PEM (PKCS#8). */
export function newSigningKey(algorithm: KeyAlgorithm): string {
  const { privateKey } =
    algorithm === "Ed25519"
      ? generateKeyPairSync("ed25519")
      : generateKeyPairSync("ec", { namedCurve: "P-256" });
  return privateKey.export({ type: "pkcs8", format: "pem" }) as string;
}

function parse(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    throw new RangeError("contains no unencrypted private key in PEM (PKCS#8)");
  }
}
