import type { CryptoKey, JWTPayload, JWTVerifyOptions, JWTVerifyResult } from "jose";
import { decodeProtectedHeader } from "jose/decode/protected_header";
import * as errors from "jose/errors";
import { jwtVerify } from "jose/jwt/verify";
import { Problem } from "#foundation/errors.js";
import { checkTokenKind } from "./check-kind.js";
import { createRemoteKeys, fixedKeys, type KeySet, keysInFile, type RemoteKeys } from "./remote-keys.js";
import { LEEWAY_S, MAX_LIFETIME_S } from "./token-lifetime.js";

export interface TokenRules {
  /** Secrets that may have signed HS256, HS384 and HS512 tokens. Without secrets, these tokens are rejected. */
  readonly secrets?: readonly string[] | undefined;
  /** A JWK Set in JSON: public keys for all other tokens. Without keys from any source, these tokens are rejected. */
  readonly jwks?: string | undefined;
  /** Path of a JWK Set. Changes of the file apply within seconds. */
  readonly jwksFile?: string | undefined;
  /** URL of a JWK Set. */
  readonly jwksUrl?: string | undefined;
  /** If given, `iss` must be one of these values. */
  readonly issuer?: string | string[] | undefined;
  /** If given, `aud` must be or contain one of these values. */
  readonly audience?: string | string[] | undefined;
  /** Maximum time in seconds from `iat`, or from now if there is no `iat`, to `exp`. Default: `MAX_LIFETIME_S`. */
  readonly maxLifetime?: number | undefined;
  /** Returns milliseconds since 1970. */
  readonly now: () => number;
}

/** `exp`, in seconds since 1970, is present and plausible. */
type VerifiedClaims = JWTPayload & { readonly exp: number };

/**
 * Verifies an access token as a compact JWT: its encoding, its signature, `exp` (required), `nbf` and `iat`, and `iss`
 * and `aud` if they are configured.
 * @throws Problem `unauthenticated`, or `unavailable` if the public keys can't be reached
 */
type VerifyToken = (token: string) => Promise<VerifiedClaims>;

const HMAC_ALGORITHMS = ["HS256", "HS384", "HS512"];
const PUBLIC_KEY_ALGORITHMS = [
  ...["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"],
  ...["ES256", "ES384", "ES512", "EdDSA"],
];

type Verify = (token: string) => Promise<JWTVerifyResult>;

/**
 * Each family of algorithms has its own keys, so that no token can use a public key as a secret. Keys that a token's
 * header offers (`jwk`, `jku`, `x5c`, `x5u`) are ignored.
 * @throws Error if there is no key to verify with
 */
export function createVerifyToken(rules: TokenRules): VerifyToken {
  const { secrets = [] } = rules;
  if (secrets.includes("")) throw new Error("a secret to check tokens with must not be empty");
  const keySets = publicKeys(rules);
  if (secrets.length === 0 && keySets.length === 0)
    throw new Error("tokens can be checked with a secret, a JWK Set, or both: give one");
  const withSecret = secrets.length > 0 ? secretVerifier(secrets, rules) : undefined;
  const withPublicKeys =
    keySets.length > 0 ? verifyWithAny(keySets.map((keys) => publicKeyVerifier(keys, rules))) : undefined;

  function verifierFor(alg: string | undefined): Verify | undefined {
    if (alg === undefined) return undefined;
    if (HMAC_ALGORITHMS.includes(alg)) return withSecret;
    return PUBLIC_KEY_ALGORITHMS.includes(alg) ? withPublicKeys : undefined;
  }

  async function verify(token: string): Promise<VerifiedClaims> {
    if (!isSpelledRight(token)) throw new Error("it doesn't consist of three parts in base64url");
    const verifier = verifierFor(decodeProtectedHeader(token).alg);
    if (!verifier) throw new Error("no key is configured for the algorithm");
    const { protectedHeader, payload } = await verifier(token);
    checkTokenKind(protectedHeader.typ, payload);
    return checkPlausible(payload, rules);
  }

  // jose throws TypeErrors for some tokens and keys. A token must never cause an error that looks like a defect of this
  // service.
  return (token) =>
    verify(token).catch((error) => {
      throw error instanceof Problem ? error : refusal(error);
    });
}

/**
 * Returns whether a token is written canonically. base64url can write the same bytes in several ways. In canonical
 * form, equal tokens are equal texts.
 */
function isSpelledRight(token: string): boolean {
  const parts = token.split(".");
  return (
    parts.length === 3 && parts.every((part) => Buffer.from(part, "base64url").toString("base64url") === part)
  );
}

/**
 * Imports the keys once. jose would import a plain secret again for each token, which takes a third of the verification
 * time.
 */
function secretVerifier(secrets: readonly string[], rules: TokenRules): Verify {
  const sets = secrets.map((secret) => new Map(HMAC_ALGORITHMS.map((alg) => [alg, hmacKey(alg, secret)])));
  return async (token) => {
    const options = verifyOptions(HMAC_ALGORITHMS, rules);
    for (const keys of sets) {
      try {
        return await jwtVerify(token, ({ alg }) => keyOf(keys, alg), options);
      } catch (error) {
        if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
      }
    }
    throw new errors.JWSSignatureVerificationFailed();
  };
}

function keyOf(keys: ReadonlyMap<string, Promise<CryptoKey>>, alg: string): Promise<CryptoKey> {
  const key = keys.get(alg);
  if (!key) throw new Error("no secret is configured for the algorithm");
  return key;
}

function hmacKey(alg: string, secret: string): Promise<CryptoKey> {
  const algorithm = { name: "HMAC", hash: alg.replace("HS", "SHA-") };
  return crypto.subtle.importKey("raw", new TextEncoder().encode(secret), algorithm, false, ["verify"]);
}

/** Local keys come first, so that their tokens can be verified while the URL can't be reached. */
function publicKeys({ jwks, jwksFile, jwksUrl, now }: TokenRules): RemoteKeys[] {
  return [
    ...(jwks ? [fixedKeys(jwks)] : []),
    ...(jwksFile ? [keysInFile(jwksFile, now)] : []),
    ...(jwksUrl ? [createRemoteKeys({ url: jwksUrl, now })] : []),
  ];
}

/** @throws Problem `unavailable` if no key fits and some keys can't be fetched */
function verifyWithAny(verifiers: readonly Verify[]): Verify {
  return async (token) => {
    let failure: unknown;
    for (const verify of verifiers) {
      try {
        return await verify(token);
      } catch (error) {
        if (isAboutClaims(error)) throw error;
        failure = failure instanceof Problem ? failure : error;
      }
    }
    throw failure;
  };
}

/** If no key fits a token, newly fetched keys are tried, because the platform may have replaced them. */
function publicKeyVerifier(remote: RemoteKeys, rules: TokenRules): Verify {
  return async (token) => {
    const options = verifyOptions(PUBLIC_KEY_ALGORITHMS, rules);
    const keys = await remote.current();
    try {
      return await verifyWithSet(token, keys, options);
    } catch (error) {
      const newer = mayLackKey(error, token) ? await remote.newerThan(keys) : undefined;
      if (!newer) throw error;
      return await verifyWithSet(token, newer, options);
    }
  };
}

function mayLackKey(error: unknown, token: string): boolean {
  if (error instanceof errors.JWKSNoMatchingKey) return true;
  return (
    error instanceof errors.JWSSignatureVerificationFailed && decodeProtectedHeader(token).kid === undefined
  );
}

async function verifyWithSet(
  token: string,
  keys: KeySet,
  options: JWTVerifyOptions,
): Promise<JWTVerifyResult> {
  try {
    return await jwtVerify(token, keys, options);
  } catch (error) {
    if (error instanceof errors.JWKSMultipleMatchingKeys) return await verifyWithEach(token, error, options);
    throw error;
  }
}

/** Tries every key that the header allows. jose leaves this to its callers if `kid` does not identify a single key. */
async function verifyWithEach(
  token: string,
  candidates: errors.JWKSMultipleMatchingKeys,
  options: JWTVerifyOptions,
): Promise<JWTVerifyResult> {
  for await (const key of candidates) {
    try {
      return await jwtVerify(token, key, options);
    } catch (error) {
      if (isAboutClaims(error)) throw error;
    }
  }
  throw new errors.JWSSignatureVerificationFailed();
}

function isAboutClaims(error: unknown): boolean {
  return (
    error instanceof errors.JWTExpired ||
    error instanceof errors.JWTClaimValidationFailed ||
    error instanceof errors.JWTInvalid
  );
}

function verifyOptions(algorithms: string[], { issuer, audience, now }: TokenRules): JWTVerifyOptions {
  return {
    algorithms,
    clockTolerance: LEEWAY_S,
    currentDate: new Date(now()),
    ...(issuer !== undefined && { issuer }),
    ...(audience !== undefined && { audience }),
  };
}

/** Rejects what jose accepts: no `exp`, an object as `sub`, a future time of issue, and a very long lifetime. */
function checkPlausible(
  claims: JWTPayload,
  { now, maxLifetime = MAX_LIFETIME_S }: TokenRules,
): VerifiedClaims {
  const nowS = now() / 1000;
  const { exp, sub, iat = nowS } = claims;
  if (exp === undefined) throw new Error('"exp" is missing');
  if (sub !== undefined && typeof sub !== "string") throw new Error('"sub" must be a string');
  if (iat > nowS + LEEWAY_S) {
    throw new Problem(
      "unauthenticated",
      `This token was issued in the future ("iat"): correct the clock of its issuer.`,
    );
  }
  if (exp - iat > maxLifetime) {
    throw new Problem(
      "unauthenticated",
      `This token is valid for over ${maxLifetime} seconds ("iat" to "exp"): request one with a shorter lifetime, or raise ` +
        "AUTH_JWT_MAX_LIFETIME.",
    );
  }
  return { ...claims, exp };
}

/** Only the message becomes the cause: jose's errors contain the claims, which must not be logged. */
function refusal(error: unknown): Problem {
  const message = error instanceof errors.JWTExpired ? "Token has expired." : "Invalid token.";
  return new Problem("unauthenticated", message, { cause: error instanceof Error ? error.message : error });
}
