import { Problem } from "../errors.js";
import type { PresentedCredentials } from "./caller.js";

/** The longest token that is looked at, in characters. Real ones have some hundred to two thousand. */
const MAX_TOKEN_LENGTH = 16 * 1024;

const AUTHORIZATION = /^(?:bearer|jwt) +(\S+)$/i;

/** The platform splits its token over two cookies: the first holds header and payload, the second is HTTP-only. */
export const HEADER_PAYLOAD_COOKIE = "edx-jwt-cookie-header-payload";
export const SIGNATURE_COOKIE = "edx-jwt-cookie-signature";

/** Of one name: each pair of them may cost a check, so that there must not be many. */
const MAX_COOKIES = 3;

/**
 * Finds the token among the credentials: in `Authorization` (`Bearer` or `JWT`, in any case), else in the two cookies.
 * An `Authorization` that is there counts alone: when it holds no token, the cookies do not step in, since whoever wrote
 * it meant to be somebody else. One cookie without the other presents nothing.
 *
 * A site beside the platform, under the same domain, can set cookies of these names, too, which then may come first. So
 * with several of a name each pair is a token to try, in their order: what that site has made up locks nobody out.
 * @returns the tokens, not looked into; none when nothing was presented
 * @throws Problem `unauthenticated` when `Authorization` is of another scheme or malformed, or all tokens are too long
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

/** The first cookies of that name, as in RFC 6265 section 4.2.1, but empty ones; quotes around a value are dropped. */
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
