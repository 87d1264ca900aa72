import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { promisify } from "node:util";
import { type Signer, withTimeout } from "../badges/signer.js";
import { sequence, unsignedInteger } from "./der.js";

/** A seal's private key, held by this service or by a plug-in's signer. */
export interface SealKey {
  readonly publicKey: KeyObject;
  /** Signs with SHA-256. The result is RSASSA-PKCS1-v1_5, or ECDSA in DER. */
  sign(bytes: Uint8Array): Promise<Uint8Array>;
}

const signAside = promisify(sign);

const PROBE = Buffer.from("Does the private key belong to the certificate?");

/**
 * Reads a private key from PEM.
 * @throws RangeError that describes the problem, without revealing any of the key
 */
export function readSealKey(pem: string): SealKey {
  const key = parse(pem, createPrivateKey, "contains no unencrypted private key in PEM");
  const publicKey = createPublicKey(key);
  checkSealKey(publicKey);
  // RSA takes some milliseconds, so it runs in another thread. P-256 takes less time than switching to another thread.
  const isSlow = publicKey.asymmetricKeyType === "rsa";
  return {
    publicKey,
    sign: async (bytes) => (isSlow ? signAside("sha256", bytes, key) : sign("sha256", bytes, key)),
  };
}

/**
 * Opens the key of a plug-in's signer.
 * @throws RangeError if the signer's public key has an unsupported algorithm
 */
export async function openSealKey(signer: Signer, reference: string): Promise<SealKey> {
  const opened = await withTimeout(signer.open(reference));
  const publicKey = parse(opened?.publicKey, createPublicKey, "has no public key in PEM (SPKI)");
  checkSealKey(publicKey);
  return {
    publicKey,
    async sign(bytes) {
      const signature = await withTimeout(opened.sign(bytes));
      if (!(signature instanceof Uint8Array)) throw new Error("the signer returned no signature");
      return publicKey.asymmetricKeyType === "ec" ? toDer(signature) : signature;
    },
  };
}

/**
 * Tests a key with one signature.
 * @throws RangeError if the signature doesn't match the public key
 */
export async function tryKey(key: SealKey): Promise<void> {
  const signature = await key.sign(PROBE);
  if (!verify("sha256", PROBE, key.publicKey, signature))
    throw new RangeError("signs with a key that does not match its public key");
}

function parse(pem: unknown, read: (pem: string) => KeyObject, problem: string): KeyObject {
  try {
    return read(String(pem));
  } catch {
    throw new RangeError(problem);
  }
}

/** @throws RangeError unless the key is RSA of 2048 to 4096 bits or P-256 */
export function checkSealKey({
  asymmetricKeyType: kind,
  asymmetricKeyDetails: details = {},
}: KeyObject): void {
  const { modulusLength = 0, namedCurve } = details;
  if (kind === "rsa" && modulusLength >= 2048 && modulusLength <= 4096) return;
  if (namedCurve === "prime256v1") return;
  const found = [kind, namedCurve ?? (modulusLength || "")].join(" ").trim();
  throw new RangeError(
    `contains a key of kind ${found}: a seal needs an RSA key of 2048 to 4096 bits, or a P-256 key`,
  );
}

/** Converts a signature from r and s with 32 bytes each to DER. */
function toDer(signature: Uint8Array): Uint8Array {
  if (signature.length !== 64) return signature;
  return sequence(unsignedInteger(signature.subarray(0, 32)), unsignedInteger(signature.subarray(32)));
}
