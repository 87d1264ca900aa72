import { verify } from "node:crypto";
import { asciiJson } from "./ascii-json.js";
import { claimsAgree, secondsOf } from "./jwt-claims.js";
import { MAX_BADGE } from "./max-badge.js";
import type { OpenBadge } from "./open-badge.js";
import { keyObjectOf, type PublicKey, type SigningKey } from "./public-key.js";
import type { StatusListCredential } from "./status-list.js";

/**
 * Encodes a credential as a signed JWT (Open Badges 3.0, 8.2). The credential itself is the payload, and the
 * registered claims repeat parts of it.
 * @param by.key P-256
 * @param by.kid DID URL of the key
 */
export async function signJwt(
  credential: OpenBadge,
  by: { readonly key: SigningKey; readonly kid: string },
): Promise<string> {
  const header = { alg: "ES256", kid: by.kid, typ: "JWT" };
  const claims = {
    iss: credential.issuer.id,
    jti: credential.id,
    sub: credential.credentialSubject.id,
    nbf: secondsOf(credential.validFrom),
    // Who verifies it as any other JWT learns its end from this alone.
    ...(credential.validUntil !== undefined && { exp: secondsOf(credential.validUntil) }),
  };
  return encodeSigned(header, { ...credential, ...claims }, by.key);
}

/**
 * Encodes a status list as a signed JWT (W3C, Securing Verifiable Credentials using JOSE and COSE), for
 * verifiers that know no proof of JSON-LD.
 * @param by.key P-256
 * @param by.kid DID URL of the key
 */
export async function signListJwt(
  list: StatusListCredential,
  by: { readonly key: SigningKey; readonly kid: string },
): Promise<string> {
  const header = { alg: "ES256", kid: by.kid, typ: "vc+jwt", cty: "vc" };
  const claims = {
    iss: list.issuer,
    jti: list.id,
    sub: list.credentialSubject.id,
    nbf: secondsOf(list.validFrom),
    exp: secondsOf(list.validUntil),
  };
  return encodeSigned(header, { ...list, ...claims }, by.key);
}

async function encodeSigned(header: object, payload: object, key: SigningKey): Promise<string> {
  const signed = `${encoded(header)}.${encoded(payload)}`;
  const signature = await key.sign(Buffer.from(signed));
  return `${signed}.${Buffer.from(signature).toString("base64url")}`;
}

/** The contents of a JWT, and the key by which it claims to be signed. Nothing has been verified. */
export interface UncheckedJwt {
  readonly kid: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** @returns undefined unless the text is a JWT that names a key and is signed with ES256 */
export function readJwt(text: string): UncheckedJwt | undefined {
  const [header, payload, signature, ...more] = text.split(".");
  if (text.length > MAX_BADGE || more.length > 0 || signature === undefined) return undefined;
  const { alg, kid, crit } = decoded(header) ?? {};
  const claims = decoded(payload);
  if (alg !== "ES256" || typeof kid !== "string" || crit !== undefined || !claims) return undefined;
  if (![header, payload, signature].every(isBase64Url)) return undefined;
  return { kid, payload: claims };
}

/** Tells whether the key signed the JWT, and whether its registered claims agree with its credential. */
export function isJwtSignedBy(text: string, key: PublicKey): boolean {
  const end = text.lastIndexOf(".");
  const jwt = readJwt(text);
  if (!jwt || key.algorithm !== "P-256") return false;
  const signature = Buffer.from(text.slice(end + 1), "base64url");
  const signer = { key: keyObjectOf(key), dsaEncoding: "ieee-p1363" } as const;
  return verify("sha256", Buffer.from(text.slice(0, end)), signer, signature) && claimsAgree(jwt.payload);
}

function encoded(value: unknown): string {
  return Buffer.from(asciiJson(value)).toString("base64url");
}

/** Node also reads other spellings: with padding, blanks or leftover bits. A JWT has one (RFC 7515, 2). */
function isBase64Url(part = ""): boolean {
  return Buffer.from(part, "base64url").toString("base64url") === part;
}

function decoded(part: string | undefined): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part ?? "", "base64url").toString());
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
