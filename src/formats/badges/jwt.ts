import { asciiJson } from "./ascii-json.js";
import { numericDateOf } from "./jwt-claims.js";
import type { OpenBadge } from "./open-badge.js";
import type { SigningKey } from "./public-key.js";
import type { StatusListCredential } from "./status-list.js";

/**
 * Encodes a credential as a signed JWT (Open Badges 3.0, 8.2). The payload is the credential plus registered claims,
 * which repeat parts of the credential.
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
    nbf: numericDateOf(credential.validFrom),
    // Generic JWT verifiers read the expiry only from this claim.
    ...(credential.validUntil !== undefined && { exp: numericDateOf(credential.validUntil) }),
  };
  return encodeSigned(header, { ...credential, ...claims }, by.key);
}

/**
 * Encodes a status list as a signed JWT (W3C, Securing Verifiable Credentials using JOSE and COSE), for verifiers that
 * don't support JSON-LD proofs.
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
    nbf: numericDateOf(list.validFrom),
    exp: numericDateOf(list.validUntil),
  };
  return encodeSigned(header, { ...list, ...claims }, by.key);
}

async function encodeSigned(header: object, payload: object, key: SigningKey): Promise<string> {
  const signed = `${encoded(header)}.${encoded(payload)}`;
  const signature = await key.sign(Buffer.from(signed));
  return `${signed}.${Buffer.from(signature).toString("base64url")}`;
}

function encoded(value: unknown): string {
  return Buffer.from(asciiJson(value)).toString("base64url");
}
