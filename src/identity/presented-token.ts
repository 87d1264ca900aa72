import { Problem } from "../errors.js";
import type { PresentedCredentials } from "./caller.js";

/** The longest token that is looked at, in characters. Real ones have some hundred to two thousand. */
const MAX_TOKEN_LENGTH = 16 * 1024;

const AUTHORIZATION = /^(?:bearer|jwt) +(\S+)$/i;

/** The platform splits its token over two cookies: the first holds header and payload, the second is HTTP-only. */
export const HEADER_PAYLOAD_COOKIE = "edx-jwt-cookie-header-payload";
export const SIGNATURE_COOKIE = "edx-jwt-cookie-signature";

/**
 * Finds the token among the credentials: in `Authorization` (`Bearer` or `JWT`, in any case), else in the two cookies.
 * An `Authorization` that is there counts alone: when it holds no token, the cookies do not step in, since whoever wrote
 * it meant to be somebody else. One cookie without the other presents nothing.
 * @returns the token, not looked into; `undefined` when none was presented
 * @throws Problem `unauthenticated` when `Authorization` is of another scheme or malformed, or the token too long
 */
export function presentedToken({ authorization, cookie }: PresentedCredentials): string | undefined {
  if (authorization !== undefined) return boundedLength(authorizationToken(authorization));
  if (cookie === undefined) return undefined;
  const headerAndPayload = cookieValue(cookie, HEADER_PAYLOAD_COOKIE);
  const signature = cookieValue(cookie, SIGNATURE_COOKIE);
  return headerAndPayload && signature ? boundedLength(`${headerAndPayload}.${signature}`) : undefined;
}

function authorizationToken(authorization: string): string {
  const token = AUTHORIZATION.exec(authorization)?.[1];
  if (token !== undefined) return token;
  throw new Problem("unauthenticated", 'Authorization must be "Bearer <token>" or "JWT <token>".');
}

function boundedLength(token: string): string {
  if (token.length <= MAX_TOKEN_LENGTH) return token;
  throw new Problem("unauthenticated", `Token is longer than ${MAX_TOKEN_LENGTH} characters.`);
}

/** The first cookie of that name, as in RFC 6265 section 4.2.1; quotes around its value are dropped. */
function cookieValue(header: string, name: string): string | undefined {
  const prefix = `${name}=`;
  const pair = header
    .split(";")
    .map((part) => part.trim())
    .find((part) => part.startsWith(prefix));
  return pair?.slice(prefix.length).replace(/^"(.*)"$/, "$1");
}
