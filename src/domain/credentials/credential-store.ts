import type { Knex } from "knex";
import { type CredentialStatus, statusSql } from "#foundation/credential-status.js";
import { execute, hasRows, query, queryRow, queryRows } from "#infrastructure/db/query.js";
import { type Organisations, withinSql } from "../learners/organisations.js";
import type { Credential } from "./credential.js";
import { credentialColumns, generatingColumns, listedColumns } from "./credential-columns.js";
import { forUpdate, type Locked } from "./in-groups.js";
import { indexedStatus, leadingColumns } from "./leading-columns.js";

const { isAvailable, isActive, isExpired, isGenerating, isInvalidated, isVerifiable } = statusSql();

/** Returns the learner's credential under a configuration, unless it was invalidated or renewed. */
export function findActive(
  db: Knex,
  { username, configurationId }: { username: string; configurationId: number },
): Promise<Credential | undefined> {
  return findOne(db, `username = ? and configuration_id = ? and ${isActive}`, [username, configurationId]);
}

/** Returns whether a credential of the learner under a configuration was invalidated. */
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
 * Returns the credential and locks its row until the transaction ends. If this call had to wait for another
 * transaction, a successor that the other one inserted may not be visible yet. `findSuccessor` sees it.
 */
export function lockCredential(db: Knex.Transaction, uuid: string): Promise<Credential | undefined> {
  return findOne(db, "uuid = ?::uuid for update", [uuid]);
}

/** Returns the credential that replaces this one. */
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

/** Returns the existing credentials with these UUIDs. */
export async function findCredentials(db: Knex, uuids: readonly string[]): Promise<Credential[]> {
  const { rows } = await query<Credential>(
    db,
    "find_credentials",
    `select ${credentialColumns} from credentials where uuid = any (?::uuid[])`,
    [uuids],
  );
  return rows;
}

/** Returns the platform name of the credential that was issued or imported most recently; undefined if none has one. */
export async function findLatestPlatform(db: Knex): Promise<string | undefined> {
  const latest = await queryRow<{ platform: string }>(
    db,
    "select platform from credentials where platform is not null order by id desc limit 1",
    [],
  );
  return latest?.platform;
}

/** Returns a credential whose file was generated. */
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

/** Records which credential an existing one replaces. */
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
 * This form prevents Postgres from using the index: when a run begins, the statistics say that no credential is
 * generating, and Postgres would read all that are queued.
 */
const isStillGenerating = `(${isGenerating}) is true`;

/** Returns the generating credentials with these ids. */
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
 * Starts an attempt to generate each credential's file. It supersedes earlier attempts, even if their worker resumes
 * later.
 * @returns the credentials that are still generating
 */
export async function recordAttempts(
  db: Knex,
  ids: readonly number[],
  locked: Locked,
): Promise<Credential[]> {
  return queryRows<Credential>(
    db,
    `with attempted as materialized (
       select id from credentials where id = any (?::bigint[]) and ${isStillGenerating} order by id ${forUpdate[locked]}
     )
     update credentials set attempt = attempt + 1
     where id = any (array(select id from attempted))
     returning ${generatingColumns}`,
    [ids],
  );
}

type Binding = string | number | Date | readonly string[];

/** Selects credentials to list. A field that is empty, 0 or undefined does not filter. */
export interface CredentialFilter {
  readonly username: string;
  readonly learningContextKey: string;
  readonly configurationId: number;
  readonly statuses: readonly CredentialStatus[] | undefined;
  readonly organisations?: Organisations;
  /** Only credentials whose validity ends at this moment or earlier. */
  readonly validUntilAtMost?: Date | undefined;
  /** Only expired credentials, by the database's clock. */
  readonly isExpired?: boolean | undefined;
  /** Default: false, oldest first. */
  readonly newestFirst?: boolean;
}

/**
 * Lists credentials with an id greater than `afterId`, in the order of issuing; newest first, lists those with a
 * smaller id instead, and all if it is 0.
 *
 * The query selects a range of the index whose leading columns are fixed by the filter: `(filter, id) > (...)`. With
 * plain equality and `order by id`, Postgres might scan the primary key instead, reading everyone's credentials and
 * discarding most of them.
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
    // If the configuration belongs to another context, there are no matches. With this condition, no credentials are
    // read in that case.
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

/** @returns false if the attempt was superseded, in which case nothing is changed */
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

/**
 * Marks credentials as failed because no further attempt will be made.
 * @returns the credentials that were still generating
 */
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

/** Revokes the links in emails that were already sent. @returns undefined if there is no such credential */
export async function setLinksRevoked(db: Knex, uuid: string): Promise<Credential | undefined> {
  return queryRow<Credential>(
    db,
    `update credentials set link_version = link_version + 1 where uuid = ?::uuid returning ${credentialColumns}`,
    [uuid],
  );
}

/** A move of a file from one key to another. */
export interface FileMove {
  readonly from: string;
  readonly to: string;
}

/**
 * Records the destination of an invalidated credential's file. A destination that was recorded before is kept.
 * @returns undefined if there is nothing to move, or nothing any more
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

/**
 * Records that the file has reached its destination.
 * @returns false if the learner was erased in the meantime, so that the file must be deleted
 */
export async function completeFileMove(db: Knex, uuid: string): Promise<boolean> {
  return hasRows(
    db,
    `update credentials set file_key = invalidated_file_key
     where uuid = ?::uuid and invalidated_file_key is not null`,
    [uuid],
  );
}
