import { hash } from "node:crypto";
import { shorten } from "#foundation/shorten.js";
import type { Database } from "#infrastructure/db/database.js";
import { execute, type Knex } from "#infrastructure/db/query.js";
import { createSignInLink } from "#infrastructure/sessions/sign-in-link.js";
import { findExcluded } from "../learners/erased-learners.js";
import { inLearnerTransaction } from "../learners/learner-transaction.js";
import { noteTeacher } from "../learners/lti-people.js";
import { organisationOf } from "../learners/organisations.js";
import { type LaunchClaims, type LtiRole, roleOf } from "./claims.js";
import { contextKeyOf, storeContext } from "./context-key.js";
import { LOGIN_LIFETIME_S } from "./login-state.js";
import { isPlatformUrl } from "./manage-registrations.js";
import { isSubject, ownUsername, usernameOf, usernamesAt } from "./people.js";
import type { Deployment, Registration } from "./registration.js";
import {
  countAcceptedDeployments,
  findDeployment,
  insertPending,
  lockDecision,
} from "./registration-store.js";
import { storeMembers, storePeople } from "./store-members.js";
import { DEEP_LINK, refusal } from "./verify-launch.js";
import { withdraw } from "./withdraw-absent.js";
import { COLUMN_SCOPES } from "./write-score.js";

export type LaunchResult =
  /** The deployment is pending or was refused. */
  | { readonly kind: "not accepted"; readonly state: Deployment["state"] }
  | { readonly kind: "no course"; readonly deployment: Deployment }
  /** The connector that reads the platform does not know the person. */
  | { readonly kind: "unknown person"; readonly deployment: Deployment }
  | { readonly kind: "erased"; readonly deployment: Deployment }
  | {
      readonly kind: "in course";
      readonly deployment: Deployment;
      readonly role: LtiRole;
      readonly contextKey: string;
      readonly contextTitle: string;
      readonly username: string;
      /** Signs a teacher in to the console. Present if the platform's teachers may use the console. */
      readonly signInLink?: string;
    };

interface LaunchDeps {
  readonly database: Database;
  readonly publicUrl: string;
}

const LINK_LIFETIME_S = 600;

/**
 * Accepts a verified launch. Each launch is accepted only once, and only for an accepted deployment. Determines the
 * course and the person, and stores the launch's data about a learner. If a connector reads the platform, stores only
 * which account the learner has.
 * @param frameOrigins origins of the pages that may embed this service's pages; stored if the deployment is new
 * @throws Problem `permission-denied` if the launch was accepted before, or if the platform's settings don't permit it
 */
export async function takeLaunch(
  { database, publicUrl }: LaunchDeps,
  registration: Registration,
  claims: LaunchClaims,
  frameOrigins: readonly string[],
  now: Date,
  signal: AbortSignal,
): Promise<LaunchResult> {
  await takeNonce(database.knex, registration.id, claims.nonce);
  return inLearnerTransaction(database, signal, async (transaction) => {
    const { id } = registration;
    const { deploymentId, subject, context } = claims;
    await lockDecision(transaction, registration);
    const deployment = await findDeployment(transaction, id, deploymentId);
    if (deployment?.state !== "accepted") {
      if (!deployment) await insertPending(transaction, id, deploymentId, frameOrigins);
      return { kind: "not accepted", state: deployment?.state ?? "pending" };
    }
    if (registration.connector !== "" && (await countAcceptedDeployments(transaction, id)) > 1)
      throw refusal(
        "The platform has several accepted deployments, and a connector that reads one of them: an administrator of this service must refuse the others (deployment_id).",
      );
    const contextKey =
      context &&
      (await contextKeyOf(transaction, registration, deploymentId, context, claims.canvasCourseId));
    if (!context || contextKey === undefined) return { kind: "no course", deployment };
    const role = roleOf(claims.roles);
    const contextTitle = context.title ?? context.label ?? contextKey;
    await storeContext(transaction, {
      registrationId: id,
      deploymentId,
      contextId: context.id,
      contextKey,
      title: shorten(contextTitle, 255),
      membershipsUrl: platformUrlOr(claims.membershipsUrl),
      lineItemsUrl: COLUMN_SCOPES.every((scope) => claims.columns?.scope.includes(scope))
        ? platformUrlOr(claims.columns?.lineitems)
        : "",
      isTeacher: role === "teacher",
    });
    if (subject === undefined || !isSubject(subject)) return { kind: "unknown person", deployment };
    const username =
      role === "learner"
        ? await usernameOf(transaction, registration, subject, claims)
        : ownUsername(id, subject);
    if (username === undefined) return { kind: "unknown person", deployment };
    if ((await findExcluded(transaction, [username])).has(username)) return { kind: "erased", deployment };
    const { name, email, locale } = claims;
    const member = { subject, username, name, email, locale, isActive: true, isLaunched: true };
    const of = { registrationId: id, contextKey, contextTitle, observedAt: now };
    const launched = { kind: "in course", deployment, role, contextKey, contextTitle, username } as const;
    if (registration.connector === "") {
      const listedAs = (await usernamesAt(transaction, id, [subject]))(subject);
      const course = { registrationId: id, deploymentId, contextId: context.id };
      const isNew = await noteTeacher(transaction, course, listedAs, role !== "learner");
      if (role === "learner") await storeMembers(transaction, of, [member]);
      else if (isNew) await withdraw(transaction, of, [listedAs]);
    } else if (role === "learner") await storePeople(transaction, id, [member]);
    const { teacherRole } = registration;
    if (role !== "teacher" || teacherRole === "" || claims.messageType === DEEP_LINK) return launched;
    const signInLink = await createSignInLink(transaction, publicUrl, {
      username,
      roles: [teacherRole],
      organisations: [organisationOf(contextKey)],
      lifetimeS: LINK_LIFETIME_S,
      ltiDeployment: { registrationId: id, deploymentId },
    });
    return { ...launched, signInLink };
  });
}

/** Returns the URL, or an empty string if requests can't be sent to it. */
function platformUrlOr(text: string | undefined): string {
  return text !== undefined && isPlatformUrl(text) ? new URL(text).href : "";
}

/** Uses up a nonce. Of two launches with the same nonce, only one is accepted. */
async function takeNonce(db: Knex, registrationId: number, nonce: string): Promise<void> {
  await execute(db, "delete from lti_nonces_used where expires_at < now()");
  const nonceHash = hash("sha256", `${registrationId}\n${nonce}`, "buffer");
  const taken = await execute(
    db,
    `insert into lti_nonces_used (nonce_hash, expires_at)
     values (?, now() + make_interval(secs => ?)) on conflict do nothing`,
    [nonceHash, LOGIN_LIFETIME_S],
  );
  if (taken === 0) throw refusal("This launch was used before (nonce).");
}
