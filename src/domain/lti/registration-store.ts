import { Problem } from "#foundation/errors.js";
import { execute, hasRows, type Knex, queryRow, queryRows, queryValue } from "#infrastructure/db/query.js";
import { organisationIn } from "../learners/organisations.js";
import {
  type Acceptance,
  acceptanceColumns,
  type Deployment,
  MAX_PENDING_DEPLOYMENTS,
  type PlatformSettings,
  platformSettingColumns,
  type Registration,
  registrationColumns,
} from "./registration.js";

const columns = registrationColumns.selected;

const deploymentColumns = `registration_id as "registrationId", deployment_id as "deploymentId", state,
  frame_origins as "frameOrigins", first_seen_at as "firstSeenAt"`;

/** Returns `undefined` if the platform has registered this client before. */
export async function insertRegistration(
  db: Knex,
  settings: PlatformSettings,
  createdBy: string,
): Promise<number | undefined> {
  const row = await queryRow<{ id: number }>(
    db,
    `insert into lti_registrations (${platformSettingColumns.names}, created_by)
     select given.*, :createdBy from ${platformSettingColumns.parameterOf(":settings")} as given
     on conflict (issuer, client_id) do nothing returning id`,
    { settings: platformSettingColumns.json(settings), createdBy },
  );
  return row?.id;
}

export async function countRegistrations(db: Knex): Promise<number> {
  return queryValue<number>(db, "select count(*)::integer as count from lti_registrations");
}

export async function findRegistration(db: Knex, id: number): Promise<Registration | undefined> {
  return queryRow<Registration>(db, `select ${columns} from lti_registrations where id = ?`, [id]);
}

/**
 * @param issuer with or without a trailing slash
 * @param clientId undefined for all clients of the issuer
 */
export async function findByIssuer(
  db: Knex,
  issuer: string,
  clientId: string | undefined,
): Promise<Registration[]> {
  return queryRows<Registration>(
    db,
    `select ${columns} from lti_registrations
     where rtrim(issuer, '/') = :issuer and client_id = coalesce(:clientId, client_id)
     order by issuer = :requested desc, id limit ${clientId === undefined ? 2 : 1}`,
    { requested: issuer, issuer: issuer.replace(/\/+$/, ""), clientId: clientId ?? null },
  );
}

export async function listRegistrations(db: Knex): Promise<Registration[]> {
  return queryRows<Registration>(db, `select ${columns} from lti_registrations order by id`);
}

/** Locks a platform, so that the decision about it can't change until the transaction ends. */
export async function lockRegistration(
  transaction: Knex.Transaction,
  id: number,
  purpose: "to read" | "to change",
): Promise<Registration | undefined> {
  const lock = purpose === "to read" ? "share" : "no key update";
  return queryRow<Registration>(
    transaction,
    `select ${columns} from lti_registrations where id = ? for ${lock}`,
    [id],
  );
}

/**
 * Checks that a platform is still accepted under the same decision, and locks the decision until the transaction ends.
 * Must be called in the transaction that stores the platform's data.
 * @throws Problem `permission-denied` if another decision was made meanwhile
 */
export async function lockDecision(
  transaction: Knex.Transaction,
  { id, decision }: Pick<Registration, "id" | "decision">,
): Promise<void> {
  const registration = await lockRegistration(transaction, id, "to read");
  if (registration?.state === "accepted" && registration.decision === decision) return;
  throw new Problem(
    "permission-denied",
    "An administrator of this service has just changed the settings of this platform: open this page in the course again.",
    { facts: { launch: "refused" } },
  );
}

/** Invalidates all tokens and pages from earlier decisions. */
export async function invalidateDecision(transaction: Knex.Transaction, id: number): Promise<void> {
  await execute(transaction, "update lti_registrations set decision = decision + 1 where id = ?", [id]);
}

/**
 * Deletes the LTI courses whose course keys the platform may no longer use. These courses get new keys at their next
 * launch.
 */
export async function deleteForeignContexts(
  transaction: Knex.Transaction,
  { id, organisations, connector }: Pick<Registration, "id" | "organisations" | "connector">,
): Promise<void> {
  const mayName =
    connector === ""
      ? `${organisationIn("context_key")} = any (cast(:organisations as text[]))`
      : "context_key in (select context_key from connector_contexts where connector = :connector)";
  await execute(transaction, `delete from lti_contexts where registration_id = :id and not (${mayName})`, {
    id,
    organisations: [...organisations],
    connector,
  });
}

export async function countAcceptedDeployments(db: Knex, registrationId: number): Promise<number> {
  return queryValue<number>(
    db,
    `select count(*)::integer as count from lti_deployments where registration_id = ? and state = 'accepted'`,
    [registrationId],
  );
}

/** Accepts a platform. Returns false if it does not exist. */
export async function acceptRegistration(db: Knex, id: number, acceptance: Acceptance): Promise<boolean> {
  return hasRows(
    db,
    `update lti_registrations
     set state = 'accepted', (${acceptanceColumns.names}) = ${acceptanceColumns.parameterOf(":acceptance")} where id = :id`,
    { id, acceptance: acceptanceColumns.json(acceptance) },
  );
}

/** Refuses a platform. Returns false if it does not exist. */
export async function refuseRegistration(db: Knex, id: number): Promise<boolean> {
  return hasRows(db, "update lti_registrations set state = 'refused' where id = ?", [id]);
}

export async function deleteRegistration(db: Knex, id: number): Promise<boolean> {
  return hasRows(db, "delete from lti_registrations where id = ?", [id]);
}

/** Lists the deployments of one platform or, by default, of all platforms. */
export async function listDeployments(db: Knex, registrationId?: number): Promise<Deployment[]> {
  return queryRows<Deployment>(
    db,
    `select ${deploymentColumns} from lti_deployments
     where registration_id = coalesce(:registrationId, registration_id)
     order by registration_id, first_seen_at, deployment_id`,
    { registrationId: registrationId ?? null },
  );
}

export async function findDeployment(
  db: Knex,
  registrationId: number,
  deploymentId: string,
): Promise<Deployment | undefined> {
  return queryRow<Deployment>(
    db,
    `select ${deploymentColumns} from lti_deployments where registration_id = ? and deployment_id = ?`,
    [registrationId, deploymentId],
  );
}

/** Inserts a pending deployment. Does nothing if too many deployments are pending. */
export async function insertPending(
  db: Knex,
  registrationId: number,
  deploymentId: string,
  frameOrigins: readonly string[],
): Promise<void> {
  await execute(
    db,
    `insert into lti_deployments (registration_id, deployment_id, state, frame_origins)
     select :registrationId::integer, :deploymentId, 'pending', cast(:frameOrigins as text[])
     where (select count(*) from lti_deployments where registration_id = :registrationId and state = 'pending')
       < ${MAX_PENDING_DEPLOYMENTS}
     on conflict do nothing`,
    { registrationId, deploymentId, frameOrigins: [...frameOrigins] },
  );
}

/** Stores the decision about a deployment, even before its first launch. */
export async function decideDeployment(
  db: Knex,
  registrationId: number,
  deploymentId: string,
  state: Deployment["state"],
  frameOrigins: readonly string[] | undefined,
): Promise<void> {
  await execute(
    db,
    `insert into lti_deployments as known (registration_id, deployment_id, state, frame_origins)
     values (:registrationId, :deploymentId, :state, coalesce(cast(:frameOrigins as text[]), '{}'))
     on conflict (registration_id, deployment_id) do update
       set state = excluded.state,
         frame_origins = coalesce(cast(:frameOrigins as text[]), known.frame_origins)`,
    { registrationId, deploymentId, state, frameOrigins: frameOrigins ? [...frameOrigins] : null },
  );
}

export async function insertInvitation(
  db: Knex,
  secretHash: Buffer,
  createdBy: string,
  lifetimeS: number,
): Promise<void> {
  await execute(db, "delete from lti_invitations where expires_at < now()");
  await execute(
    db,
    `insert into lti_invitations (secret_hash, created_by, expires_at)
     values (:secretHash, :createdBy, now() + make_interval(secs => :lifetimeS))`,
    { secretHash, createdBy, lifetimeS },
  );
}

/** Returns the creator of the invitation, or `undefined` if the invitation is not valid. */
export async function findInvitation(db: Knex, secretHash: Buffer): Promise<string | undefined> {
  const row = await queryRow<{ createdBy: string }>(
    db,
    `select created_by as "createdBy" from lti_invitations where secret_hash = ? and expires_at > now()`,
    [secretHash],
  );
  return row?.createdBy;
}

interface RedeemedInvitation {
  readonly createdBy: string;
  readonly expiresAt: Date;
}

/** Uses up an invitation. Returns `undefined` if the invitation was used before, has expired, or never existed. */
export async function redeemInvitation(
  db: Knex,
  secretHash: Buffer,
): Promise<RedeemedInvitation | undefined> {
  return queryRow<RedeemedInvitation>(
    db,
    `delete from lti_invitations where secret_hash = ? and expires_at > now()
     returning created_by as "createdBy", expires_at as "expiresAt"`,
    [secretHash],
  );
}

/** Restores an invitation after a failed registration. */
export async function returnInvitation(
  db: Knex,
  secretHash: Buffer,
  { createdBy, expiresAt }: RedeemedInvitation,
): Promise<void> {
  await execute(
    db,
    `insert into lti_invitations (secret_hash, created_by, expires_at)
     values (:secretHash, :createdBy, :expiresAt) on conflict do nothing`,
    { secretHash, createdBy, expiresAt },
  );
}
