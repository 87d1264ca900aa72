import { type CredentialStatus, statusSql } from "#foundation/credential-status.js";
import { execute, hasRows, type Knex, query, queryRow, queryRows } from "#infrastructure/db/query.js";
import { type Organisations, withinSql } from "../learners/organisations.js";
import type { Credential } from "./credential.js";
import { credentialColumns, generatingColumns, listedColumns } from "./credential-columns.js";
import { forUpdate, type LockMode } from "./in-groups.js";
import { indexedStatus, leadingColumns } from "./leading-columns.js";

const { isAvailable, isActive, isExpired, isGenerating, isInvalidated, isVerifiable } = statusSql();

/**
 * SQL: whether a credential of a learner under a configuration was invalidated. The parameters are
 * SQL.
 */
export function hadInvalidated(configurationId: string, username: string): string {
  return `exists (
    select from credentials before where before.configuration_id = ${configurationId}
      and before.username = ${username} and ${statusSql("before").isInvalidated}
  )`;
}

/** Ignores credentials that were invalidated or replaced by a renewal. */
export function findActive(
  db: Knex,
  { username, configurationId }: { username: string; configurationId: number },
): Promise<Credential | undefined> {
  return findOne(db, `username = ? and configuration_id = ? and ${isActive}`, [username, configurationId]);
}

export function hasInvalidated(
  db: Knex,
  { username, configurationId }: { username: string; configurationId: number },
): Promise<boolean> {
  return hasRows(
    db,
    `select from credentials where username = ? and configuration_id = ? and ${isInvalidated} limit 1`,
    [username, configurationId],
  );
}

export function findCredential(db: Knex, uuid: string): Promise<Credential | undefined> {
  return findOne(db, "uuid = ?::uuid", [uuid]);
}

export function findByVerifyUuid(db: Knex, verifyUuid: string): Promise<Credential | undefined> {
  return findOne(db, "verify_uuid = ?::uuid", [verifyUuid]);
}

/**
 * Locks the credential until the transaction ends. If the lock had to wait for a transaction that inserted a successor,
 * `replacedBy` may still be null in the returned credential. `findSuccessor` finds the successor.
 */
export function lockCredential(db: Knex.Transaction, uuid: string): Promise<Credential | undefined> {
  return findOne(db, "uuid = ?::uuid for update", [uuid]);
}

export function findSuccessor(db: Knex, uuid: string): Promise<Credential | undefined> {
  return findOne(db, "replaces = ?::uuid", [uuid]);
}

function findOne(db: Knex, condition: string, bindings: readonly unknown[]): Promise<Credential | undefined> {
  return queryRow<Credential>(
    db,
    `select ${credentialColumns} from credentials where ${condition}`,
    bindings,
  );
}

export async function findCredentials(db: Knex, uuids: readonly string[]): Promise<Credential[]> {
  const { rows } = await query<Credential>(
    db,
    "find_credentials",
    `select ${credentialColumns} from credentials where uuid = any (?::uuid[])`,
    [uuids],
  );
  return rows;
}

/** Returns the platform name on the latest credential that has one. */
export async function findLatestPlatform(db: Knex): Promise<string | undefined> {
  const latest = await queryRow<{ platform: string }>(
    db,
    "select platform from credentials where platform is not null order by id desc limit 1",
    [],
  );
  return latest?.platform;
}

export async function findGenerated(
  db: Knex,
  id: number,
): Promise<Pick<Credential, "uuid" | "fileKey"> | undefined> {
  return queryRow<Pick<Credential, "uuid" | "fileKey">>(
    db,
    `select uuid, file_key as "fileKey" from credentials where id = ? and ${isVerifiable}`,
    [id],
  );
}

export async function setReplaces(
  transaction: Knex.Transaction,
  uuid: string,
  replaced: string,
): Promise<void> {
  await execute(transaction, "update credentials set replaces = ?::uuid where uuid = ?::uuid", [
    replaced,
    uuid,
  ]);
}

/**
 * SQL that keeps Postgres from using the index of generating credentials. When a run begins, the statistics still say
 * that no credential is generating, so Postgres would read all queued credentials through that index.
 */
const isStillGenerating = `(${isGenerating}) is true`;

export async function findGenerating(db: Knex, ids: readonly number[]): Promise<Credential[]> {
  const { rows } = await query<Credential>(
    db,
    "find_generating",
    `select ${generatingColumns} from credentials where id = any (?::bigint[]) and ${isStillGenerating}`,
    [ids],
  );
  return rows;
}

/**
 * Starts an attempt to generate each file. The attempt supersedes earlier ones, even if their workers resume later.
 * @returns the credentials that are still generating
 */
export async function recordAttempts(
  db: Knex,
  ids: readonly number[],
  lockMode: LockMode,
): Promise<Credential[]> {
  return queryRows<Credential>(
    db,
    `with attempted as materialized (
       select id from credentials where id = any (?::bigint[]) and ${isStillGenerating} order by id ${forUpdate[lockMode]}
     )
     update credentials set attempt = attempt + 1
     where id = any (array(select id from attempted))
     returning ${generatingColumns}`,
    [ids],
  );
}

type Binding = string | number | Date | readonly string[];

/** Fields that are empty, 0 or undefined don't filter. */
export interface CredentialFilter {
  readonly username: string;
  readonly learningContextKey: string;
  readonly configurationId: number;
  readonly statuses: readonly CredentialStatus[] | undefined;
  readonly organisations?: Organisations;
  readonly validUntilAtMost?: Date | undefined;
  /** Only credentials that have expired by the database's clock. False does not filter. */
  readonly isExpired?: boolean | undefined;
  readonly newestFirst?: boolean;
}

/**
 * Lists credentials after `afterId`, in the order in which they were issued. With `newestFirst`, lists credentials
 * before `afterId`, where 0 starts from the newest.
 *
 * The query selects a range of the index on the filtered columns: `(filter, id) > (...)`. With plain equality and
 * `order by id`, Postgres might scan the primary key instead, reading everyone's credentials and discarding most of
 * them.
 * @param options.withResults whether to read the results, which may be large
 */
export async function listCredentials(
  db: Knex,
  filter: CredentialFilter,
  afterId: number,
  limit: number,
  { withResults = false } = {},
): Promise<Credential[]> {
  const { learningContextKey, configurationId, statuses } = filter;
  const leading = leadingColumns(filter);
  const names = [...Object.keys(leading), "id"].join(", ");
  const values = Object.values(leading);
  const conditions: string[] = [];
  const bindings: Binding[] = [];
  const restrict = (condition: string, ...values: readonly Binding[]) => {
    conditions.push(condition);
    bindings.push(...values);
  };
  const { newestFirst = false } = filter;
  const [after, within] = newestFirst ? ["<", ">="] : [">", "<="];
  const start = newestFirst && afterId === 0 ? Number.MAX_SAFE_INTEGER : afterId;
  restrict(`(${names}) ${after} (${marks(values.length + 1)})`, ...values, start);
  if (values.length > 0) restrict(`(${Object.keys(leading)}) ${within} (${marks(values.length)})`, ...values);
  if (leading.status !== undefined) restrict(indexedStatus[leading.status]);
  else if (statuses !== undefined) restrict(`status in (${marks(statuses.length)})`, ...statuses);
  if (configurationId !== 0 && !("configuration_id" in leading))
    restrict("configuration_id = ?", configurationId);
  if (learningContextKey !== "" && !("learning_context_key" in leading)) {
    restrict("learning_context_key = ?", learningContextKey);
    // If the configuration belongs to another context, no credential matches. This condition tells Postgres so before
    // it reads any credentials.
    if ("configuration_id" in leading) {
      restrict(
        "exists (select from credential_configurations where id = ? and learning_context_key = ?)",
        configurationId,
        learningContextKey,
      );
    }
  }
  if (filter.organisations !== undefined)
    restrict(withinSql("learning_context_key", filter.organisations, "?"), filter.organisations);
  if (filter.validUntilAtMost) restrict("valid_until <= ?", filter.validUntilAtMost);
  if (filter.isExpired) restrict(`${isAvailable} and ${isExpired}`);
  const order = newestFirst ? names.replaceAll(/,|$/g, " desc$&") : names;
  return queryRows<Credential>(
    db,
    `select ${withResults ? credentialColumns : listedColumns} from credentials where ${conditions.join(" and ")} order by ${order} limit ?`,
    [...bindings, limit],
  );
}

function marks(count: number): string {
  return Array(count).fill("?").join(", ");
}

/** Sets a credential to failed. Does nothing and returns false if the attempt was superseded. */
export async function setFailed(
  db: Knex,
  attempted: { id: number; attempt: number },
  reason: string,
): Promise<boolean> {
  return hasRows(
    db,
    `update credentials set status = 'error', error_reason = ? where id = ? and attempt = ? and ${isGenerating}`,
    [reason, attempted.id, attempted.attempt],
  );
}

/** Sets each of these credentials to failed if it is still generating. Returns the failed credentials. */
export async function setLost(
  db: Knex,
  ids: readonly number[],
  reason: string,
): Promise<Pick<Credential, "uuid" | "configurationId">[]> {
  return queryRows<Pick<Credential, "uuid" | "configurationId">>(
    db,
    `update credentials set status = 'error', error_reason = ?
     where id = any (?::bigint[]) and ${isGenerating}
     returning uuid, configuration_id as "configurationId"`,
    [reason, ids],
  );
}

/**
 * Revokes the links that were already made, in emails or for wallets. Returns `undefined` if there is no such
 * credential.
 */
export async function setLinksRevoked(db: Knex, uuid: string): Promise<Credential | undefined> {
  return queryRow<Credential>(
    db,
    `update credentials set link_version = link_version + 1 where uuid = ?::uuid returning ${credentialColumns}`,
    [uuid],
  );
}

/** Old and new key of a file in the store. */
interface FileMove {
  readonly from: string;
  readonly to: string;
}

/**
 * Records the destination of the file of an invalidated credential, unless one was recorded before.
 * @returns undefined if the credential isn't invalidated, has no file, or its file has already been moved
 */
export async function startFileMove(db: Knex, uuid: string, to: string): Promise<FileMove | undefined> {
  return queryRow<FileMove>(
    db,
    `update credentials set invalidated_file_key = coalesce(invalidated_file_key, ?)
     where uuid = ?::uuid and ${isInvalidated} and file_key is distinct from invalidated_file_key
     returning file_key as "from", invalidated_file_key as "to"`,
    [to, uuid],
  );
}

/** Returns false if the learner was erased during the move. The caller must then delete the file. */
export async function completeFileMove(db: Knex, uuid: string): Promise<boolean> {
  return hasRows(
    db,
    `update credentials set file_key = invalidated_file_key
     where uuid = ?::uuid and invalidated_file_key is not null`,
    [uuid],
  );
}
