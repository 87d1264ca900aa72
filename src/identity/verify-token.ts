import type { CryptoKey, JWTPayload, JWTVerifyOptions, JWTVerifyResult } from "jose";
import { decodeProtectedHeader } from "jose/decode/protected_header";
import * as errors from "jose/errors";
import { jwtVerify } from "jose/jwt/verify";
import { Problem } from "../errors.js";
import { checkKind } from "./check-kind.js";
import { createRemoteKeys, type KeySet, type RemoteKeys } from "./remote-keys.js";
import { MAX_LIFETIME_S } from "./token-lifetime.js";

/** Which tokens are believed. */
export interface TokenRules {
  /** Each may have signed HS256, HS384 and HS512 tokens; without one they are refused. */
  readonly secrets?: readonly string[] | undefined;
  /** Where the public keys of all other tokens are; without it they are refused. */
  readonly jwksUrl?: string | undefined;
  /** `iss` must equal this, when given. */
  readonly issuer?: string | undefined;
  /** `aud` must be or hold this, when given. */
  readonly audience?: string | undefined;
  /** The longest time from `iat`, or else from now, to `exp`, in seconds. Default: `MAX_LIFETIME_S` */
  readonly maxLifetime?: number | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** A payload whose `exp`, in seconds since 1970, is there and sane. */
export type VerifiedClaims = JWTPayload & { readonly exp: number };

/**
 * Checks a compact JWT: spelling, signature, `exp` (required), `nbf`, `iat`, `iss` and `aud` where they are configured, and
 * whether it is an access token.
 * @throws Problem `unauthenticated`, or `unavailable` when the public keys are out of reach
 */
export type VerifyToken = (token: string) => Promise<VerifiedClaims>;

const HMAC_ALGORITHMS = ["HS256", "HS384", "HS512"];
const PUBLIC_KEY_ALGORITHMS = [
  ...["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"],
  ...["ES256", "ES384", "ES512", "EdDSA"],
];

/** How far the issuer's clock may differ from ours, in seconds. */
const LEEWAY_S = 10;

type Verify = (token: string) => Promise<JWTVerifyResult>;

/**
 * Creates the check. Each family of algorithms goes to its own key, so that no token can have a public key used as a
 * secret. What a token's header offers as a key (`jwk`, `jku`, `x5c`, `x5u`) is never looked at.
 * @throws Error when there is no key to check with
 */
export function createVerifyToken(rules: TokenRules): VerifyToken {
  const { secrets = [], jwksUrl, now } = rules;
  if (secrets.includes("")) throw new Error("a secret to check tokens with must not be empty");
  if (secrets.length === 0 && !jwksUrl)
    throw new Error("tokens can be checked with a secret, a JWKS URL, or both: give one");
  const withSecret = secrets.length > 0 ? secretVerifier(secrets, rules) : undefined;
  const withPublicKeys = jwksUrl
    ? publicKeyVerifier(createRemoteKeys({ url: jwksUrl, now }), rules)
    : undefined;

  function verifierFor(alg: string | undefined): Verify | undefined {
    if (alg === undefined) return undefined;
    if (HMAC_ALGORITHMS.includes(alg)) return withSecret;
    return PUBLIC_KEY_ALGORITHMS.includes(alg) ? withPublicKeys : undefined;
  }

  async function verify(token: string): Promise<VerifiedClaims> {
    if (!isSpelledRight(token)) throw new Error("it is not three parts in base64url");
    const verifier = verifierFor(decodeProtectedHeader(token).alg);
    if (!verifier) throw new Error("no key is configured for the algorithm");
    const { protectedHeader, payload } = await verifier(token);
    checkKind(protectedHeader.typ, payload);
    return plausible(payload, rules);
  }

  // Besides its own errors, jose throws TypeErrors for some tokens and keys: no token may look like a fault of ours.
  return (token) =>
    verify(token).catch((error) => {
      throw error instanceof Problem ? error : refusal(error);
    });
}

/** base64url can write the same bytes in several ways, and padded: a token has one spelling, so that it is one token. */
function isSpelledRight(token: string): boolean {
  const parts = token.split(".");
  return (
    parts.length === 3 && parts.every((part) => Buffer.from(part, "base64url").toString("base64url") === part)
  );
}

/** The keys are made once: jose would import a bare secret anew for each token, a third of the price of a check. */
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
  if (!key) throw new Error("no secret is kept for the algorithm");
  return key;
}

function hmacKey(alg: string, secret: string): Promise<CryptoKey> {
  const algorithm = { name: "HMAC", hash: alg.replace("HS", "SHA-") };
  return crypto.subtle.importKey("raw", new TextEncoder().encode(secret), algorithm, false, ["verify"]);
}

/** A token that no key fits is tried once more with keys fetched anew: the platform may have changed them. */
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

/** Tries every key that the header allows; jose leaves that to its callers when `kid` does not single one out. */
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

/** Refuses what jose lets pass: no `exp`, an object as `sub`, a time of issue to come, a token that hardly ever expires. */
function plausible(claims: JWTPayload, { now, maxLifetime = MAX_LIFETIME_S }: TokenRules): VerifiedClaims {
  const nowS = now() / 1000;
  const { exp, sub, iat = nowS } = claims;
  if (exp === undefined) throw new Error('"exp" is missing');
  if (sub !== undefined && typeof sub !== "string") throw new Error('"sub" must be a string');
  if (iat > nowS + LEEWAY_S) {
    throw new Problem(
      "unauthenticated",
      `This token was issued in the future ("iat"): set the clock of its issuer.`,
    );
  }
  if (exp - iat > maxLifetime) {
    throw new Problem(
      "unauthenticated",
      `This token lives for over ${maxLifetime} seconds ("iat" to "exp"): have a shorter one issued, or raise ` +
        "AUTH_JWT_MAX_LIFETIME.",
    );
  }
  return { ...claims, exp };
}

/** The cause is the message alone: jose's errors carry the claims, which no log should show. */
function refusal(error: unknown): Problem {
  const message = error instanceof errors.JWTExpired ? "Token has expired." : "Invalid token.";
  return new Problem("unauthenticated", message, { cause: error instanceof Error ? error.message : error });
}
