import { randomUUID } from "node:crypto";
import { SignJWT } from "jose/jwt/sign";
import { LAUNCH_PATH } from "./begin-login.js";
import { CLAIM_PREFIX, DEEP_LINKING, type LaunchClaims } from "./claims.js";
import type { Lti } from "./lti.js";
import { isPlatformUrl } from "./manage-registrations.js";
import type { Registration } from "./registration.js";
import { refusal } from "./verify-launch.js";

/** Lifetime of the message, in seconds. It is long enough for a teacher to confirm the link. */
const LIFETIME_S = 3600;

export interface DeepLink {
  readonly returnUrl: string;
  /** The signed message for the form field `JWT`. */
  readonly message: string;
}

/**
 * Responds to a request to place content in a course (Deep Linking 2.0). The response is a link to the learner's page
 * of that course.
 * @param title of the link
 * @throws Problem `permission-denied` if the platform accepts no links
 */
export async function deepLinkOf(
  { toolKeys, publicUrl, now }: Lti,
  { clientId, issuer }: Registration,
  { deepLinking, deploymentId, issuer: named }: LaunchClaims,
  title: string,
  signal: AbortSignal,
): Promise<DeepLink> {
  if (!deepLinking || !isPlatformUrl(deepLinking.deep_link_return_url))
    throw refusal(
      "The platform's request has no valid URL to which the link can be returned (deep_link_return_url).",
    );
  if (!deepLinking.accept_types.includes("ltiResourceLink"))
    throw refusal("The platform doesn't accept links to tools here (accept_types).");
  const { kid, key } = await toolKeys.signing(signal);
  const seconds = Math.floor(now() / 1000);
  const message = await new SignJWT({
    nonce: randomUUID(),
    [`${CLAIM_PREFIX}deployment_id`]: deploymentId,
    [`${CLAIM_PREFIX}message_type`]: "LtiDeepLinkingResponse",
    [`${CLAIM_PREFIX}version`]: "1.3.0",
    [`${DEEP_LINKING}content_items`]: [{ type: "ltiResourceLink", title, url: `${publicUrl}${LAUNCH_PATH}` }],
    ...(deepLinking.data !== undefined && { [`${DEEP_LINKING}data`]: deepLinking.data }),
  })
    .setProtectedHeader({ alg: "RS256", typ: "JWT", kid })
    .setIssuer(clientId)
    .setAudience(named ?? issuer)
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + LIFETIME_S)
    .sign(key);
  return { returnUrl: new URL(deepLinking.deep_link_return_url).href, message };
}
