import { createPublicKey } from "node:crypto";
import { isSignatureBy } from "./is-signature-by.js";
import { type PublicKey, publicKeyOf, type SigningKey } from "./public-key.js";

/** Gives access to private keys in a hardware module or key management service. */
export interface Signer {
  /** Dotted path, for example `academy.signers.vault`. */
  readonly name: string;
  readonly summary: string;
  /**
   * Opens a key.
   * @param reference name of the key in the settings, for example `transit/keys/badges`
   */
  open(reference: string): Promise<OpenedKey>;
}

export interface OpenedKey {
  /** Public key as PEM (SPKI). Badges need Ed25519 or P-256; PDF seals need P-256 or RSA. */
  readonly publicKey: string;
  /**
   * Ed25519 signs the bytes themselves; P-256 and RSA sign their SHA-256 hash. A P-256 signature is either r and s,
   * with 32 bytes each, or DER. RSA uses RSASSA-PKCS1-v1_5.
   */
  sign(bytes: Uint8Array): Promise<Uint8Array>;
}

/**
 * Time limit for a response, longer than slow networks need. A job that exceeds the limit is retried, and a request
 * fails.
 */
const TIMEOUT_MS = 10_000;

const PROBE = Buffer.from("Does the private key belong to the public key?");

/**
 * Opens a signer's key and tests the key with one signature.
 * @throws RangeError if the public key has an unsupported algorithm, or doesn't match the signing key
 */
export async function openSigningKey(
  signer: Signer,
  reference: string,
  timeoutMs = TIMEOUT_MS,
): Promise<SigningKey> {
  const opened = await withTimeout(signer.open(reference), timeoutMs);
  const publicKey = readPublicKey(opened?.publicKey);
  const key: SigningKey = {
    ...publicKey,
    async sign(bytes) {
      const signature = await withTimeout(opened.sign(bytes), timeoutMs);
      return publicKey.algorithm === "P-256" ? withoutDer(signature) : signature;
    },
  };
  if (!isSignature(publicKey, PROBE, await key.sign(PROBE)))
    throw new RangeError("signs with a key that does not match its public key");
  return key;
}

function isSignature(key: PublicKey, bytes: Uint8Array, signature: Uint8Array): boolean {
  if (!(signature instanceof Uint8Array) || signature.length !== 64) return false;
  return isSignatureBy(key, { algorithm: key.algorithm, bytes, signature });
}

function readPublicKey(pem: unknown): PublicKey {
  const key = typeof pem === "string" ? parse(pem) : undefined;
  if (!key) throw new RangeError("has no Ed25519 or P-256 public key in PEM (SPKI)");
  return key;
}

function parse(pem: string): PublicKey | undefined {
  try {
    return publicKeyOf(createPublicKey(pem));
  } catch {
    return undefined;
  }
}

/** Converts a DER signature (X.690: a sequence of two integers) to r and s with 32 bytes each. */
function withoutDer(signature: Uint8Array): Uint8Array {
  if (signature.length === 64 || signature[0] !== 0x30) return signature;
  const integers: Buffer[] = [];
  for (let at = 2; signature[at] === 0x02; ) {
    const length = signature[at + 1] ?? 0;
    const bytes = Buffer.from(signature.subarray(at + 2, at + 2 + length));
    const magnitude = bytes.subarray(bytes.findIndex((byte) => byte !== 0));
    if (magnitude.length > 32) return signature;
    integers.push(Buffer.concat([Buffer.alloc(32 - magnitude.length), magnitude]));
    at += 2 + length;
  }
  return integers.length === 2 ? Buffer.concat(integers) : signature;
}

/** @throws Error if the work takes longer than the timeout */
export async function withTimeout<T>(work: Promise<T>, timeoutMs = TIMEOUT_MS): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`the signer did not respond within ${timeoutMs / 1000} s`)),
      timeoutMs,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
