import { ECDH } from "node:crypto";
import type { JWK, ProtectedHeaderParameters } from "jose";
import { decodeProtectedHeader } from "jose/decode/protected_header";
import { jwtVerify } from "jose/jwt/verify";
import { importJWK } from "jose/key/import";
import { fromBase58 } from "#formats/badges/base58.js";
import { type PublicKey, publicKeyFromJwk, publicKeyFromMultibase } from "#formats/badges/public-key.js";
import { WalletError } from "./wallet-error.js";

/** Maximum age of a proof, in seconds. The date of a proof may lie in the future, within the tolerance. */
const MAX_AGE_S = 300;
const CLOCK_TOLERANCE_S = 30;

const MAX_LENGTH = 8 * 1024;

/** Multicodec prefix of a P-256 public key, as bytes. */
const P256_PREFIX = [0x80, 0x24];

/** A wallet's proof that it has the key of the DID `holder`, to which the badge is issued. */
interface HolderProof {
  readonly holder: string;
  readonly nonce: string;
}

/**
 * Checks that a proof is recent, was made for this issuer, and is signed by the wallet's key (OpenID4VCI 1.0, appendix
 * F.1).
 * @param audience the issuer's identifier
 * @throws WalletError `invalid_proof`
 */
export async function checkHolderProof(jwt: string, audience: string): Promise<HolderProof> {
  try {
    if (jwt.length > MAX_LENGTH) throw new Error(`it has more than ${MAX_LENGTH} characters`);
    const { holder, key } = holderOf(decodeProtectedHeader(jwt));
    const { payload } = await jwtVerify(jwt, await importJWK({ ...key.jwk } as JWK, algorithmOf(key)), {
      algorithms: [algorithmOf(key)],
      typ: "openid4vci-proof+jwt",
      audience,
      maxTokenAge: MAX_AGE_S,
      clockTolerance: CLOCK_TOLERANCE_S,
    });
    if (typeof payload.nonce !== "string")
      throw new Error("it has no nonce: request one from the nonce endpoint");
    return { holder, nonce: payload.nonce };
  } catch (error) {
    throw new WalletError("invalid_proof", `The proof is not valid: ${(error as Error).message}.`);
  }
}

function algorithmOf({ algorithm }: PublicKey): string {
  return algorithm === "Ed25519" ? "EdDSA" : "ES256";
}

function holderOf({ jwk, kid, x5c }: ProtectedHeaderParameters): { holder: string; key: PublicKey } {
  if (x5c !== undefined || (jwk === undefined) === (kid === undefined)) {
    throw new Error("its header must have either jwk or kid, and no x5c");
  }
  const holder = jwk === undefined ? String(kid).replace(/#.*$/s, "") : didJwk(jwk);
  const key = keyOf(holder);
  if (!key) throw new Error("its key must be Ed25519 or P-256, as jwk, did:jwk or did:key");
  return { holder, key };
}

function didJwk(jwk: object): string {
  const key = "d" in jwk ? undefined : publicKeyFromJwk(jwk);
  if (!key) throw new Error("its jwk must be a public key, Ed25519 or P-256");
  return `did:jwk:${Buffer.from(JSON.stringify(key.jwk)).toString("base64url")}`;
}

function keyOf(did: string): PublicKey | undefined {
  if (did.startsWith("did:jwk:")) {
    const jwk: unknown = JSON.parse(Buffer.from(did.slice("did:jwk:".length), "base64url").toString());
    return typeof jwk === "object" && jwk !== null && !("d" in jwk) ? publicKeyFromJwk(jwk) : undefined;
  }
  if (!did.startsWith("did:key:")) return undefined;
  const multibase = did.slice("did:key:".length);
  return publicKeyFromMultibase(multibase) ?? p256Key(multibase);
}

function p256Key(multibase: string): PublicKey | undefined {
  const bytes = fromBase58(multibase);
  if (bytes?.length !== 35 || P256_PREFIX.some((byte, at) => bytes[at] !== byte)) return undefined;
  const point = ECDH.convertKey(
    bytes.subarray(2),
    "prime256v1",
    undefined,
    undefined,
    "uncompressed",
  ) as Buffer;
  const part = (from: number) => point.subarray(from, from + 32).toString("base64url");
  return publicKeyFromJwk({ kty: "EC", crv: "P-256", x: part(1), y: part(33) });
}
