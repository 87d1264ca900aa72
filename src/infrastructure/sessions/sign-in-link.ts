import { invalid, quoted } from "#foundation/errors.js";
import type { Knex } from "../db/query.js";
import { isNameOfPlatforms, isReserved } from "../identity/actors.js";
import { isUsername } from "../identity/claims.js";
import { type Role, STAFF_ROLES, withIncluded } from "../identity/roles.js";
import { deleteLinksOf, insertLink, type LtiDeploymentKey } from "./session-store.js";
import { hashOf, newSecret } from "./sessions.js";

const SECRET_BYTES = 16;

/** Lifetime of a link in seconds: time to send the link to someone who then opens it. */
export const SIGN_IN_LINK_LIFETIME_S = 600;

/** The user and rights of a sign-in link, and its lifetime. */
interface LinkRequest {
  readonly username: string;
  /** If empty, the user gets `STAFF_ROLES`. */
  readonly roles: readonly Role[];
  /** If empty, the user is not restricted to organisations. */
  readonly organisations: readonly string[];
  readonly lifetimeS: number;
  /** The LTI deployment whose launch requested the link. Default: staff requested it. */
  readonly ltiDeployment?: LtiDeploymentKey;
}

/**
 * Creates a link that begins one session in the console. The link replaces earlier links of the same user. Its secret
 * is in the fragment, which browsers never send.
 * @throws Problem `invalid` if nobody can sign in under the name
 */
export async function createSignInLink(
  db: Knex,
  publicUrl: string,
  { username, roles, organisations, lifetimeS, ltiDeployment }: LinkRequest,
): Promise<string> {
  checkStaffName(username, ltiDeployment);
  const secret = newSecret(SECRET_BYTES);
  const staff = {
    username,
    roles: withIncluded(roles.length > 0 ? roles : STAFF_ROLES),
    organisations: organisations.length > 0 ? organisations : undefined,
    ltiDeployment,
  };
  await deleteLinksOf(db, username);
  await insertLink(db, hashOf(secret), staff, lifetimeS);
  return `${publicUrl}/console/#sign-in=${secret}`;
}

/**
 * @param ltiDeployment the LTI deployment that launched the person. Default: staff entered the name
 * @throws Problem `invalid` if nobody can sign in under the name
 */
export function checkStaffName(username: string, ltiDeployment?: LtiDeploymentKey): void {
  if (!isUsername(username)) {
    throw invalid(
      `The username ${quoted(username)} must have 1 to 255 characters and no control characters.`,
    );
  }
  if (isNameOfPlatforms(username) && !ltiDeployment) {
    throw invalid(
      `${quoted(username)} is reserved for users of LTI platforms, who can only sign in from their platform.`,
    );
  }
  if (isReserved(username)) {
    throw invalid(`${username} is reserved for the service itself: choose another name.`);
  }
}
