import type { JWTPayload } from "jose";
import { Problem } from "#foundation/errors.js";

/** Header types of access tokens, if a header states one: RFC 7519 section 5.1, RFC 9068 section 2.1. */
const HEADER_TYPES = /^(application\/)?(jwt|at\+jwt)$/i;

/** Claims that state the kind of a token: the first in Keycloak, the second in Amazon Cognito, the third elsewhere. */
const KIND_CLAIMS = ["typ", "token_use", "token_type"];
const ACCESS_KINDS = /^(bearer|access|jwt|at\+jwt)$/i;

/** Hashes that only ID tokens contain: OpenID Connect Core 1.0, sections 3.1.3.6 and 3.3.2.11. */
const ID_TOKEN_HASHES = ["at_hash", "c_hash"];

/** The filter that the platform writes into the tokens of users who act for themselves. */
const OWN_DATA = "user:me";

/**
 * Rejects tokens that are signed with a trusted key but are not access tokens for this service. The bearer of such a
 * token may be a different person than its subject.
 * @throws Problem `unauthenticated`
 */
export function checkTokenKind(headerType: unknown, claims: JWTPayload): void {
  if (headerType !== undefined && !matches(HEADER_TYPES, headerType)) throw otherKind('the header "typ"');
  if (isIdToken(claims)) throw refused("This is an ID token: send the access token that came with it.");
  for (const name of KIND_CLAIMS) {
    if (claims[name] !== undefined && !matches(ACCESS_KINDS, claims[name]))
      throw otherKind(`the claim "${name}"`);
  }
  if (claims.events !== undefined) throw otherKind('the claim "events"');
  // A token with `cnf` is only valid with proof that the client has the key in `cnf`, which this service can't check.
  if (claims.cnf !== undefined) {
    throw refused(
      'This token is bound to a key ("cnf"), which this service can\'t check: send a token that is not bound to one.',
    );
  }
  if (isRestricted(claims)) {
    throw refused(
      'This token is restricted ("is_restricted" or "filters"): send one without restrictions, because this service ' +
        "can't enforce them.",
    );
  }
}

/** A `nonce` binds an ID token to the sign-in that requested it, but Keycloak may write it into all of its tokens. */
function isIdToken({ nonce, typ, ...others }: JWTPayload): boolean {
  return (
    ID_TOKEN_HASHES.some((name) => others[name] !== undefined) ||
    (nonce !== undefined && !matches(ACCESS_KINDS, typ))
  );
}

/**
 * Returns whether a token is one of the platform's tokens for restricted applications, or is limited to an
 * organisation's content. On the platform, each view must declare whether it accepts such tokens. No method of this
 * service accepts them.
 */
function isRestricted({ is_restricted: restricted = false, filters = [] }: JWTPayload): boolean {
  if (restricted !== false && restricted !== null) return true;
  if (filters === null) return false;
  return !Array.isArray(filters) || filters.some((filter) => filter !== OWN_DATA);
}

function matches(pattern: RegExp, value: unknown): boolean {
  return typeof value === "string" && pattern.test(value);
}

function otherKind(source: string): Problem {
  return refused(`This is not an access token (see ${source}): send an access token.`);
}

function refused(message: string): Problem {
  return new Problem("unauthenticated", message);
}
