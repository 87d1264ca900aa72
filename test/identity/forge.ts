import { createHmac, type KeyObject, sign } from "node:crypto";

/** A header or payload: a value that will be encoded as JSON, or literal text. */
export type Part = object | string;

/** Composes a token from its parts. A test can make any part wrong. */
export function forge(header: Part, payload: Part, signer: (input: string) => Buffer): string {
  const input = `${encoded(header)}.${encoded(payload)}`;
  return `${input}.${signer(input).toString("base64url")}`;
}

/** Signs with a secret (HS256, HS384, HS512). */
export function hmac(secret: string | Buffer, bits = 256): (input: string) => Buffer {
  return (input) => createHmac(`sha${bits}`, secret).update(input).digest();
}

/** Signs with a private key: RSA (PKCS #1 v1.5), EC, or Ed25519, which ignores `bits`. */
export function withKey(key: KeyObject, bits: 256 | 384 | 512 = 256): (input: string) => Buffer {
  const digest = key.asymmetricKeyType === "ed25519" ? undefined : `sha${bits}`;
  return (input) => sign(digest, Buffer.from(input), { key, dsaEncoding: "ieee-p1363" });
}

export function unsigned(): Buffer {
  return Buffer.alloc(0);
}

export function encoded(part: Part): string {
  return Buffer.from(typeof part === "string" ? part : JSON.stringify(part)).toString("base64url");
}
