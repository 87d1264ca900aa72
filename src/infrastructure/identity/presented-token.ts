import { Problem } from "#foundation/errors.js";
import type { PresentedCredentials } from "./caller.js";

/** Maximum length in characters. Real tokens have a few hundred to two thousand. */
const MAX_TOKEN_LENGTH = 16 * 1024;

const AUTHORIZATION = /^(?:bearer|jwt) +(\S+)$/i;

/**
 * The platform splits its token over two cookies. The first has the header and the payload. The second has the
 * signature and is HTTP-only.
 */
export const HEADER_PAYLOAD_COOKIE = "edx-jwt-cookie-header-payload";
export const SIGNATURE_COOKIE = "edx-jwt-cookie-signature";

/** Maximum number of cookies with the same name to try. Each pair may cost a verification. */
const MAX_COOKIES = 3;

/**
 * Finds the tokens that a request presents: in `Authorization` (scheme `Bearer` or `JWT`, case-insensitive) or, without
 * that header, in the two cookies that each hold one part of a token. If `Authorization` is present, the cookies are
 * ignored, even if the header has no token, because the sender did not mean to use them.
 *
 * A neighbouring site under the platform's domain can also set cookies with these names. If several cookies have the
 * same name, each pair of a first and a second part is tried as a token, in order, so that a forged cookie doesn't lock
 * anyone out.
 * @returns the unverified tokens
 * @throws Problem `unauthenticated` if `Authorization` has another scheme or is malformed, or if all tokens are too
 *   long
 */
export function presentedTokens({ authorization, cookie }: PresentedCredentials): readonly string[] {
  if (authorization !== undefined) return withinBounds([authorizationToken(authorization)]);
  if (cookie === undefined) return [];
  const signatures = cookieValues(cookie, SIGNATURE_COOKIE);
  return withinBounds(
    cookieValues(cookie, HEADER_PAYLOAD_COOKIE).flatMap((headerAndPayload) =>
      signatures.map((signature) => `${headerAndPayload}.${signature}`),
    ),
  );
}

function authorizationToken(authorization: string): string {
  const token = AUTHORIZATION.exec(authorization)?.[1];
  if (token !== undefined) return token;
  throw new Problem("unauthenticated", 'Authorization must be "Bearer <token>" or "JWT <token>".');
}

function withinBounds(tokens: readonly string[]): readonly string[] {
  const bounded = tokens.filter(({ length }) => length <= MAX_TOKEN_LENGTH);
  if (bounded.length > 0 || tokens.length === 0) return bounded;
  throw new Problem("unauthenticated", `Token is longer than ${MAX_TOKEN_LENGTH} characters.`);
}

/**
 * Returns the distinct, non-empty values of the cookies of that name (RFC 6265 section 4.2.1), without quotes, at most
 * `MAX_COOKIES`.
 */
function cookieValues(header: string, name: string): readonly string[] {
  const prefix = `${name}=`;
  const values = header
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part.startsWith(prefix))
    .map((pair) => pair.slice(prefix.length).replace(/^"(.*)"$/, "$1"))
    .filter((value) => value !== "");
  return [...new Set(values)].slice(0, MAX_COOKIES);
}
