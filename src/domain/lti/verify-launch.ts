import { decodeProtectedHeader, errors, type JWTPayload, type JWTVerifyOptions, jwtVerify } from "jose";
import { Problem } from "#foundation/errors.js";
import type { RemoteKeys } from "#infrastructure/identity/remote-keys.js";
import { type LaunchClaims, launchClaims } from "./claims.js";
import { isDigestOf, type LoginState } from "./login-state.js";
import type { Registration } from "./registration.js";

/** Tolerated difference between clocks, in seconds. */
const LEEWAY_S = 60;

/**
 * Maximum age of a launch, in seconds. Browsers deliver launches immediately, so an older launch was intercepted or
 * kept.
 */
const MAX_AGE_S = 600;

/** Types of messages: a launch, and a teacher's request to place content in the course. */
const RESOURCE_LINK = "LtiResourceLinkRequest";
export const DEEP_LINK = "LtiDeepLinkingRequest";

/**
 * Returns the error for a rejected launch.
 * @param reason for the platform's administrator. It must not reveal anything from the token
 */
export function refusal(reason: string): Problem {
  return new Problem("permission-denied", reason, { facts: { launch: "refused" } });
}

/**
 * Checks the `id_token` of a launch against the login that requested it. The caller must then check that the nonce is
 * unused and the deployment accepted.
 * @param now milliseconds since 1970
 * @throws Problem `permission-denied` saying what is wrong; `unavailable` if the platform's keys can't be reached
 */
export async function verifyLaunch(
  token: string,
  registration: Registration,
  state: LoginState,
  keys: RemoteKeys,
  now: number,
): Promise<LaunchClaims> {
  const payload = await verifySignature(token, registration, keys, now);
  const { success, data: claims, error } = launchClaims.safeParse(payload);
  if (!success)
    throw refusal(`The claim ${String(error.issues[0]?.path[0])} of the launch is missing or malformed.`);
  const { clientId } = registration;
  if (!claims.audiences.includes(clientId)) throw refusal("The launch is for a different client (aud).");
  if (claims.authorizedParty !== undefined && claims.authorizedParty !== clientId)
    throw refusal("The launch was created for a different client (azp).");
  if (claims.audiences.length > 1 && claims.authorizedParty === undefined)
    throw refusal("The launch has several audiences (aud), and does not say which one this is (azp).");
  const age = now / 1000 - claims.issuedAt;
  if (age < -LEEWAY_S)
    throw refusal("The launch is dated in the future (iat): check the clocks of both servers.");
  if (age > MAX_AGE_S + LEEWAY_S) throw refusal("The launch was created more than ten minutes ago (iat).");
  if (claims.nonce !== state.nonce) throw refusal("The launch belongs to a different login (nonce).");
  if (claims.version !== "1.3.0") throw refusal("The launch does not use LTI 1.3.0 (version).");
  if (claims.messageType !== RESOURCE_LINK && claims.messageType !== DEEP_LINK)
    throw refusal(`The launch is neither ${RESOURCE_LINK} nor ${DEEP_LINK} (message_type).`);
  if (claims.deploymentId === "" || claims.deploymentId.length > 255)
    throw refusal("The launch has no deployment ID, or one of more than 255 characters (deployment_id).");
  const hasNoTarget = claims.targetLinkUri === undefined && claims.messageType === DEEP_LINK;
  if (!hasNoTarget && !isDigestOf(state.targetHash, claims.targetLinkUri ?? ""))
    throw refusal("The launch and its login have different URLs (target_link_uri).");
  return claims;
}

async function verifySignature(
  token: string,
  { issuer }: Registration,
  keys: RemoteKeys,
  now: number,
): Promise<JWTPayload> {
  const { alg, kid } = headerOf(token);
  if (alg !== "RS256") throw refusal("The launch is not signed with RS256 (alg).");
  const options: JWTVerifyOptions = {
    algorithms: ["RS256"],
    // The issuer may lack its trailing slash, because an administrator may have typed it without one.
    issuer: [issuer.replace(/\/+$/, ""), `${issuer.replace(/\/+$/, "")}/`],
    currentDate: new Date(now),
    clockTolerance: LEEWAY_S,
    requiredClaims: ["exp", "iat"],
  };
  const current = await keys.current();
  try {
    return (await jwtVerify(token, current, options)).payload;
  } catch (error) {
    // Tokens of Open edX don't name their key. If the signature doesn't match, the platform may have a new key.
    const mayBeOld =
      error instanceof errors.JWKSNoMatchingKey ||
      (kid === undefined && error instanceof errors.JWSSignatureVerificationFailed);
    if (!mayBeOld) throw reasonOf(error);
  }
  const newer = await keys.newerThan(current);
  if (!newer) throw kid === undefined ? foreignSignature() : unknownKey();
  try {
    return (await jwtVerify(token, newer, options)).payload;
  } catch (error) {
    throw reasonOf(error);
  }
}

function headerOf(token: string): { readonly alg?: unknown; readonly kid?: unknown } {
  try {
    return decodeProtectedHeader(token);
  } catch {
    throw refusal("The launch has no id_token, or it is not a JWT.");
  }
}

function foreignSignature(): Problem {
  return refusal("The signature of the launch is not the platform's.");
}

function unknownKey(): Problem {
  return refusal("The launch is signed with a key that the platform does not publish (kid).");
}

function reasonOf(error: unknown): unknown {
  if (error instanceof errors.JWTExpired) return refusal("The launch has expired (exp).");
  if (error instanceof errors.JWTClaimValidationFailed)
    return refusal(
      error.claim === "iss"
        ? "The launch comes from a different platform (iss)."
        : `The claim ${error.claim} of the launch is missing or malformed.`,
    );
  if (error instanceof errors.JWKSNoMatchingKey) return unknownKey();
  if (error instanceof errors.JWSSignatureVerificationFailed) return foreignSignature();
  if (error instanceof errors.JWKSMultipleMatchingKeys)
    return refusal("The launch does not say which of the platform's keys signed it (kid).");
  if (error instanceof errors.JOSEError)
    return refusal("The launch has no id_token, or it is not a signed JWT.");
  return error;
}
