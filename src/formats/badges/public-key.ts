import { createHash, createPublicKey, type KeyObject } from "node:crypto";
import { fromBase58, toBase58 } from "./base58.js";

/** Ed25519 for Data Integrity and status lists, P-256 for JWTs. */
export type KeyAlgorithm = "Ed25519" | "P-256";

export interface PublicKey {
  readonly algorithm: KeyAlgorithm;
  /** Only the required members, in RFC 7638 order. */
  readonly jwk: Ed25519Jwk | P256Jwk;
  /** Fragment of the DID URL: an Ed25519 key's multibase, or a P-256 key's thumbprint (RFC 7638). */
  readonly fragment: string;
}

export interface Ed25519Jwk {
  readonly crv: "Ed25519";
  readonly kty: "OKP";
  readonly x: string;
}

export interface P256Jwk {
  readonly crv: "P-256";
  readonly kty: "EC";
  readonly x: string;
  readonly y: string;
}

/** A key that can sign. Signing is asynchronous, because the private key may be in another system. */
export interface SigningKey extends PublicKey {
  /**
   * Ed25519 signs the bytes themselves; P-256 signs their SHA-256 hash. A P-256 signature is r and s, with 32 bytes
   * each.
   */
  sign(bytes: Uint8Array): Promise<Uint8Array>;
}

/** Multicodec prefix of Ed25519 public keys. */
const ED25519_PREFIX = Buffer.from([0xed, 0x01]);

/**
 * Converts a key of Node's crypto module.
 * @returns undefined if the key has another algorithm
 */
export function publicKeyOf(key: KeyObject): PublicKey | undefined {
  const { kty, crv, x = "", y = "" } = publicPart(key).export({ format: "jwk" });
  if (kty === "OKP" && crv === "Ed25519") {
    return { algorithm: "Ed25519", jwk: { crv, kty, x }, fragment: multibaseOf(x) };
  }
  if (kty === "EC" && crv === "P-256") {
    const jwk: P256Jwk = { crv, kty, x, y };
    const fragment = createHash("sha256").update(JSON.stringify(jwk)).digest("base64url");
    return { algorithm: "P-256", jwk, fragment };
  }
  return undefined;
}

/** @returns undefined if the JWK is not a public key for one of the signing algorithms */
export function publicKeyFromJwk(jwk: object): PublicKey | undefined {
  try {
    return publicKeyOf(createPublicKey({ key: { ...jwk }, format: "jwk" }));
  } catch {
    return undefined;
  }
}

/** @returns undefined if the text is not the multibase of an Ed25519 public key */
export function publicKeyFromMultibase(multibase: string): PublicKey | undefined {
  const bytes = fromBase58(multibase);
  if (bytes?.length !== 34 || ED25519_PREFIX.compare(bytes, 0, 2) !== 0) return undefined;
  return publicKeyFromJwk({
    kty: "OKP",
    crv: "Ed25519",
    x: Buffer.from(bytes.subarray(2)).toString("base64url"),
  });
}

function multibaseOf(x: string): string {
  return toBase58(Buffer.concat([ED25519_PREFIX, Buffer.from(x, "base64url")]));
}

function publicPart(key: KeyObject): KeyObject {
  return key.type === "private" ? createPublicKey(key) : key;
}
