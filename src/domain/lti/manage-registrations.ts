import { failedPrecondition, Problem, quoted, wrongField } from "#foundation/errors.js";
import { MAX_NAME } from "#foundation/limits.js";
import { checkText } from "#foundation/text/check-text.js";
import { hasNoUser } from "#foundation/text/has-no-user.js";
import { isOrigin } from "#foundation/text/is-origin.js";
import { type Database, inTransaction } from "#infrastructure/db/database.js";
import type { Knex } from "#infrastructure/db/query.js";
import { deleteSessionsFrom } from "#infrastructure/sessions/session-store.js";
import { hashOf, newSecret } from "#infrastructure/sessions/sessions.js";
import { deleteLtiPeople } from "../learners/lti-people.js";
import {
  type Acceptance,
  MAX_REGISTRATIONS,
  type PlatformSettings,
  type Registration,
} from "./registration.js";
import * as store from "./registration-store.js";
import { makeScoresDue } from "./score-store.js";

/** Lifetime of an invitation, in seconds. It is long enough to send the link to an administrator of the platform. */
const INVITATION_LIFETIME_S = 7 * 24 * 3600;

const SECRET_BYTES = 24;

/** Creates a link with which one platform can register itself once. */
export async function invitePlatform(db: Knex, publicUrl: string, createdBy: string): Promise<string> {
  const secret = newSecret(SECRET_BYTES);
  await store.insertInvitation(db, hashOf(secret), createdBy, INVITATION_LIFETIME_S);
  return `${publicUrl}/lti/register?invitation=${secret}`;
}

/**
 * Registers a platform, which stays pending until an administrator accepts it.
 * @throws Problem `invalid` naming the field, `already-exists`, `resource-exhausted`
 */
export async function registerPlatform(
  db: Knex,
  settings: PlatformSettings,
  createdBy: string,
): Promise<number> {
  checkSettings(settings);
  if ((await store.countRegistrations(db)) >= MAX_REGISTRATIONS)
    throw new Problem(
      "resource-exhausted",
      `There are ${MAX_REGISTRATIONS} platforms, the maximum: remove one first.`,
    );
  const id = await store.insertRegistration(db, settings, createdBy);
  if (id !== undefined) return id;
  throw new Problem(
    "already-exists",
    `The platform ${quoted(settings.issuer)} has already registered the client ${quoted(settings.clientId)}: remove that registration first.`,
  );
}

function checkSettings(settings: PlatformSettings): void {
  checkText("issuer", settings.issuer, { min: 1, max: 2000 });
  checkText("client_id", settings.clientId, { min: 1, max: MAX_NAME });
  checkText("name", settings.name, { min: 0, max: MAX_NAME });
  checkText("token_audience", settings.tokenAudience, { min: 0, max: 2000 });
  checkPlatformUrl("authorization_url", settings.authorizationUrl);
  checkPlatformUrl("token_url", settings.tokenUrl);
  checkPlatformUrl("jwks_url", settings.jwksUrl);
}

/**
 * Checks only the syntax of a URL. Each request checks the address of its host, and permits http only in an allowed
 * network.
 */
export function checkPlatformUrl(field: string, text: string): URL {
  if (isPlatformUrl(text)) return new URL(text);
  throw wrongField(
    field,
    `is ${quoted(text)}; it must be a URL with https://, such as https://lms.example.org/token. A platform in LTI_ALLOWED_NETWORKS may also use http://.`,
  );
}

export function isPlatformUrl(text: string): boolean {
  if (text.length > 2000 || !URL.canParse(text)) return false;
  const { protocol, hash } = new URL(text);
  return /^https?:$/.test(protocol) && hasNoUser(text) && hash === "";
}

/** Accepts a platform, or changes the settings of an accepted platform. @throws Problem `invalid`, `not-found` */
export async function acceptPlatform(
  database: Database,
  id: number,
  acceptance: Acceptance,
  signal: AbortSignal,
): Promise<void> {
  const { organisations, teacherRole, connector, rosters } = acceptance;
  if (organisations.length === 0 && connector === "")
    throw wrongField(
      "organisations",
      "is empty: name the organisation to which courses of the platform belong.",
    );
  if (organisations.length > 50) throw wrongField("organisations", "has more than 50 entries.");
  for (const organisation of organisations)
    if (!/^[\p{L}\p{N}_\-~.:]{1,100}$/u.test(organisation))
      throw wrongField(
        "organisations",
        `has ${quoted(organisation)}; it must be 1 to 100 letters, digits, or _ - ~ . :`,
      );
  if (rosters !== "" && connector !== "")
    throw wrongField(
      "rosters",
      `is ${quoted(rosters)}, but the connector ${quoted(connector)} already reads who is enrolled: leave rosters or connector empty.`,
    );
  checkText("connector", connector, { min: 0, max: 40 });
  await changing(database, id, signal, async (transaction, before) => {
    if (connector !== "" && (await store.countAcceptedDeployments(transaction, id)) > 1)
      throw twoDeployments(connector);
    await store.acceptRegistration(transaction, id, acceptance);
    const isSame =
      before.state === "accepted" &&
      before.teacherRole === teacherRole &&
      before.connector === connector &&
      before.rosters === rosters &&
      before.organisations.join("\n") === organisations.join("\n");
    if (!isSame) {
      await revokeAccess(transaction, id);
      await store.deleteForeignContexts(transaction, { id, organisations, connector });
    }
    if (before.connector !== connector) await deleteLtiPeople(transaction, id);
    if (acceptance.hasColumns) await makeScoresDue(transaction, { registrationId: id });
  });
}

/** Refuses a platform. Its launches are rejected, and all access that it has granted ends. */
export async function refusePlatform(database: Database, id: number, signal: AbortSignal): Promise<void> {
  await changing(database, id, signal, async (transaction) => {
    await store.refuseRegistration(transaction, id);
    await revokeAccess(transaction, id);
  });
}

/**
 * Removes a platform with its deployments, its courses, and the links between its people and learners. Also ends the
 * sessions and sign-in links that came from it.
 */
export async function removePlatform(database: Database, id: number, signal: AbortSignal): Promise<void> {
  await changing(database, id, signal, (transaction) => store.deleteRegistration(transaction, id));
}

/** Changes the decision about a platform while none of its launches is in progress. */
async function changing(
  database: Database,
  id: number,
  signal: AbortSignal,
  change: (transaction: Knex.Transaction, before: Registration) => Promise<unknown>,
): Promise<void> {
  await inTransaction(database, signal, async (transaction) => {
    const before = await store.lockRegistration(transaction, id, "to change");
    if (!before) throw noSuchPlatform(id);
    await change(transaction, before);
  });
}

/** Ends the sessions, sign-in links and pages that came from a platform. */
async function revokeAccess(transaction: Knex.Transaction, registrationId: number): Promise<void> {
  await store.invalidateDecision(transaction, registrationId);
  await deleteSessionsFrom(transaction, { registrationId });
}

function twoDeployments(connector: string): Problem {
  return failedPrecondition(
    `The connector ${quoted(connector)} reads one deployment of this platform, but two deployments are accepted, and both may use the same IDs for different users and courses: accept only one deployment, or register the platform once for each.`,
  );
}

/**
 * Accepts or refuses a deployment, even before its first launch.
 * @param frameOrigins origins of pages that may embed ours. If undefined, the stored origins are kept, and a deployment
 * that is not stored yet gets the origin of the platform's login URL
 */
export async function changeDeploymentState(
  database: Database,
  { registrationId, deploymentId }: { readonly registrationId: number; readonly deploymentId: string },
  state: "accepted" | "refused",
  frameOrigins: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<void> {
  checkText("deployment_id", deploymentId, { min: 1, max: MAX_NAME });
  if (frameOrigins && frameOrigins.length > 20)
    throw wrongField("frame_origins", "has more than 20 entries.");
  for (const origin of frameOrigins ?? [])
    if (!isOrigin(origin))
      throw wrongField(
        "frame_origins",
        `has ${quoted(origin)}; it must be an origin, such as https://lms.example.org`,
      );
  await changing(database, registrationId, signal, async (transaction, { connector, authorizationUrl }) => {
    const stored = await store.findDeployment(transaction, registrationId, deploymentId);
    const accepted = await store.countAcceptedDeployments(transaction, registrationId);
    const others = stored?.state === "accepted" ? accepted - 1 : accepted;
    if (state === "accepted" && connector !== "" && others > 0) throw twoDeployments(connector);
    const origins = frameOrigins ?? (stored ? undefined : [new URL(authorizationUrl).origin]);
    await store.decideDeployment(transaction, registrationId, deploymentId, state, origins);
    if (state === "refused") await deleteSessionsFrom(transaction, { registrationId, deploymentId });
  });
}

export function originsOf(addresses: readonly (string | undefined)[]): string[] {
  const origins = addresses.flatMap((address) =>
    address !== undefined && URL.canParse(address) ? [new URL(address).origin] : [],
  );
  return [...new Set(origins.filter(isOrigin))];
}

export function noSuchPlatform(id: number): Problem {
  return new Problem("not-found", `There is no platform ${id}.`);
}
