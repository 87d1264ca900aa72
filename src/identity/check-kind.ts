import type { JWTPayload } from "jose";
import { Problem } from "../errors.js";

/** What the header of an access token says that it is, if anything: RFC 7519 section 5.1, RFC 9068 section 2.1. */
const HEADER_TYPES = /^(application\/)?(jwt|at\+jwt)$/i;

/** Where issuers say it among the claims: Keycloak in the first, Amazon Cognito in the second, others in the third. */
const KIND_CLAIMS = ["typ", "token_use", "token_type"];
const ACCESS_KINDS = /^(bearer|access|jwt|at\+jwt)$/i;

/** Hashes that stand in ID tokens alone: OpenID Connect Core 1.0, sections 3.1.3.6 and 3.3.2.11. */
const ID_TOKEN_HASHES = ["at_hash", "c_hash"];

/** The platform writes it into the token of each user whom it lets act for themselves. */
const OWN_DATA = "user:me";

/**
 * Refuses tokens that are signed by a key that we trust, and are not meant to let their bearer in here: whoever has such
 * a token need not be the one it is about.
 * @throws Problem `unauthenticated`
 */
export function checkKind(headerType: unknown, claims: JWTPayload): void {
  if (headerType !== undefined && !matches(HEADER_TYPES, headerType)) throw otherKind("by its header");
  if (isIdToken(claims)) throw refused("This is an ID token: send the access token that came with it.");
  for (const name of KIND_CLAIMS) {
    if (claims[name] !== undefined && !matches(ACCESS_KINDS, claims[name])) throw otherKind(`by "${name}"`);
  }
  if (claims.events !== undefined) throw otherKind('it tells of "events"');
  // Only who can prove to have that key may use the token, and we don't ask for the proof.
  if (claims.cnf !== undefined) throw otherKind('it is bound to a key, "cnf"');
  if (isRestricted(claims)) {
    throw refused(
      'This token is restricted ("is_restricted" or "filters"): send one without restrictions, as there is no method that ' +
        "observes them.",
    );
  }
}

/** A `nonce` binds an ID token to the sign-in that it is the answer to. Keycloak may put it into all of its tokens. */
function isIdToken({ nonce, typ, ...others }: JWTPayload): boolean {
  return (
    ID_TOKEN_HASHES.some((name) => others[name] !== undefined) ||
    (nonce !== undefined && !matches(ACCESS_KINDS, typ))
  );
}

/**
 * The platform's tokens of restricted applications, and those narrowed to some organisation's content: what a view of its
 * own would have to declare before it takes them, no method of ours does.
 */
function isRestricted({ is_restricted: restricted = false, filters = [] }: JWTPayload): boolean {
  if (restricted !== false && restricted !== null) return true;
  if (filters === null) return false;
  return !Array.isArray(filters) || filters.some((filter) => filter !== OWN_DATA);
}

function matches(pattern: RegExp, value: unknown): boolean {
  return typeof value === "string" && pattern.test(value);
}

function otherKind(how: string): Problem {
  return refused(`This is a token of another kind (${how}): send an access token.`);
}

function refused(message: string): Problem {
  return new Problem("unauthenticated", message);
}
