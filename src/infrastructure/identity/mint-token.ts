import { SignJWT } from "jose/jwt/sign";
import { invalid } from "#foundation/errors.js";
import { isNameOfPlatforms, isReserved } from "./actors.js";
import { isUsername } from "./claims.js";
import { MAX_LIFETIME_S } from "./token-lifetime.js";

/** The caller that a token identifies, and its lifetime. */
interface TokenRequest {
  readonly secret: string;
  /** If there are several, the first is used. */
  readonly issuer?: string | string[] | undefined;
  /** If there are several, the first is used. */
  readonly audience?: string | string[] | undefined;
  readonly username: string;
  readonly isStaff?: boolean | undefined;
  readonly scopes?: readonly string[] | undefined;
  readonly expiresInSeconds: number;
  /** Maximum of `expiresInSeconds`. Default: `MAX_LIFETIME_S`. */
  readonly maxLifetime?: number | undefined;
}

/**
 * Signs a token (HS256) that `createAuthenticate` accepts with the same secret, issuer and audience.
 * @throws Problem `invalid` for an invalid name or lifetime
 */
export async function mintToken(request: TokenRequest): Promise<string> {
  const { secret, issuer, audience, username, isStaff, scopes, expiresInSeconds } = request;
  const { maxLifetime = MAX_LIFETIME_S } = request;
  if (!isUsername(username)) {
    throw invalid(
      `The username ${JSON.stringify(username)} must have 1 to 255 characters and no control characters.`,
    );
  }
  if (isNameOfPlatforms(username)) {
    throw invalid(
      `${JSON.stringify(username)} is reserved for users of LTI platforms: no token can have it.`,
    );
  }
  if (isReserved(username) && (isStaff || scopes?.length)) {
    throw invalid(
      `${username} is reserved for the service itself: give the staff user or service another name.`,
    );
  }
  if (!(expiresInSeconds > 0 && expiresInSeconds <= maxLifetime)) {
    throw invalid(
      `A token can't expire in ${expiresInSeconds} seconds: give 1 to ${maxLifetime}, or raise AUTH_JWT_MAX_LIFETIME.`,
    );
  }
  const issuedAt = Math.floor(Date.now() / 1000);
  const token = new SignJWT({
    preferred_username: username,
    administrator: isStaff === true,
    scopes: scopes ?? [],
  })
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + expiresInSeconds);
  const [iss] = [issuer].flat();
  const [aud] = [audience].flat();
  if (iss !== undefined) token.setIssuer(iss);
  if (aud !== undefined) token.setAudience(aud);
  return await token.sign(new TextEncoder().encode(secret));
}
