import type { Knex } from "knex";
import { type CredentialStatus, standingOf } from "../credential-status.js";
import { execute, query, queryRow, queryRows } from "../db/query.js";
import type { Actor } from "../identity/actors.js";
import type { LearnerTransaction } from "../learners/learner-transaction.js";
import { type Organisations, withinSql } from "../learners/organisations.js";
import type { Credential } from "./credential.js";
import { forUpdate, type Locked } from "./in-groups.js";
import { indexedStatus, leadingColumns } from "./leading-columns.js";

const { isAvailable, isActive, isExpired, isGenerating, isInvalidated, isVerifiable } = standingOf();

/** SQL: what all queries for `Credential` select. */
const commonColumns = `id, uuid, verify_uuid as "verifyUuid", username, configuration_id as "configurationId", status,
  user_full_name as "userFullName", learning_context_key as "learningContextKey",
  learning_context_name as "learningContextName", credential_type as "credentialType",
  generation_func as "generationFunc", options, assets, print_settings as "printSettings", created_at as "createdAt",
  awarded_at as "awardedAt", particulars, attempt, file_key as "fileKey",
  encode(file_sha256, 'hex') as "fileSha256", file_size as "fileSize", badge_key as "badgeKey", badge_version as "badgeVersion", link_version as "linkVersion", error_reason as "errorReason",
  invalidation_reason as "invalidationReason", invalidated_at as "invalidatedAt",
  address_hash as "addressHash", invalidated_file_key as "invalidatedFileKey", issued_by as "issuedBy", run_id as "runId", (select sent_at from credential_mails where credential_uuid = credentials.uuid and kind = 'available') as "emailedAt", erased_at as "erasedAt", replaces,
  valid_until as "validUntil", ${isExpired} as "isExpired", renewed_at as "renewedAt",
  imported_at as "importedAt", legacy_id as "legacyId", original_issuer as "originalIssuer",
  (select successor.uuid from credentials successor where successor.replaces = credentials.uuid) as "replacedBy"`;

/** SQL: what `Credential` has. */
export const credentialColumns = `${commonColumns}, results`;

/**
 * SQL: the same for lists, without the results: those of a learning path may take more than everything else.
 */
export const listedColumns = `${commonColumns}, null as results`;

/** The columns of a new credential. */
export type NewCredential = Pick<
  Credential,
  | "username"
  | "configurationId"
  | "userFullName"
  | "learningContextKey"
  | "learningContextName"
  | "credentialType"
  | "generationFunc"
  | "options"
  | "assets"
  | "printSettings"
  | "particulars"
  | "results"
  | "awardedAt"
  | "replaces"
  | "validUntil"
> & { readonly issuedBy: string };

/**
 * SQL: the `on conflict` clause for a learner who already has a credential under the configuration.
 *
 * A failed credential takes over the new values and gets a new `id`. A job or worker that is still busy with
 * the old values then finds no row to write to. A failed credential that replaces another one keeps the date
 * of award and the results of that one.
 * @param columns further columns to overwrite with the new values
 */
export function restartFailed(...columns: readonly "run_id"[]): string {
  const takenOver = [
    "issued_by",
    "user_full_name",
    "learning_context_name",
    "credential_type",
    "generation_func",
    "options",
    "assets",
    "print_settings",
    "created_at",
    "search_words",
    "address_hash",
    ...columns,
  ];
  return `on conflict (username, configuration_id) where ${isActive} do update set
    id = default, status = 'generating', error_reason = '',
    ${takenOver.map((column) => `${column} = excluded.${column}`).join(", ")}, particulars = ${TRIED_AGAIN},
    valid_until = case when ${IS_REISSUE} then credentials.valid_until else excluded.valid_until end,
    results = case when ${IS_REISSUE} then credentials.results else excluded.results end
    where ${standingOf("credentials").isFailed}`;
}

/** SQL: true if the credential corrects another one rather than renewing it. */
const IS_REISSUE = "credentials.awarded_at is not null";

const TRIED_AGAIN = `case when not (${IS_REISSUE}) then excluded.particulars else excluded.particulars || coalesce(
    (select jsonb_object_agg(key, value) from jsonb_each(credentials.particulars) where key in ('grade', 'grades', 'completion', 'steps')), '{}'
  ) end`;

/** SQL: the words by which the learner with the bound username is found. */
export const WORDS_OF_LEARNER =
  "coalesce((select search_words from learners where learners.username = :username), '')";

/**
 * SQL: the hash of the learner's address, if the options ask for it. The subquery draws the salt once.
 * @param username SQL that gives the learner's username
 * @param options SQL that gives the options of the credential, as jsonb
 */
export function addressHashSql(username: string, options: string): string {
  return `(
    select salted.salt || ':' || encode(sha256(convert_to(lower(salted.email) || salted.salt, 'UTF8')), 'hex')
    from (
      select email, left(encode(sha256(uuid_send(gen_random_uuid())), 'hex'), 32) as salt from learners
      where learners.username = ${username} and not is_deleted and email <> ''
        and ${options} #> '{open_badge,email}' = 'true'
      offset 0
    ) as salted
  )`;
}

/**
 * SQL: true if the row was updated rather than inserted. Postgres sets `xmax` of a row that "do update" has
 * changed to the transaction that locked it. In a new row, `xmax` is 0.
 */
export const HAS_FAILED_BEFORE = "xmax <> 0";

/**
 * Inserts a credential, or restarts a failed one. If several callers race, at most one of them gets a row;
 * the others wait for it.
 * @returns undefined if a generating or available credential exists already
 */
export async function insertCredential(
  transaction: LearnerTransaction,
  credential: NewCredential,
): Promise<(Credential & { readonly hasFailedBefore: boolean }) | undefined> {
  return queryRow<Credential & { readonly hasFailedBefore: boolean }>(
    transaction,
    `insert into credentials (
       username, configuration_id, status, issued_by, replaces, user_full_name, learning_context_key, learning_context_name,
       credential_type, generation_func, options, assets, print_settings, awarded_at, valid_until, particulars, results,
       created_at, search_words, address_hash
     )
     values (
       :username, :configurationId, 'generating', :issuedBy, :replaces, :userFullName, :learningContextKey, :learningContextName,
       :credentialType, :generationFunc, :options::jsonb, :assets::jsonb,
       :printSettings::jsonb, :awardedAt, :validUntil, :particulars::jsonb, :results::jsonb,
       date_trunc('second', now()), ${WORDS_OF_LEARNER}, ${addressHashSql(":username", ":options::jsonb")}
     )
     ${restartFailed()}
     returning ${credentialColumns}, ${HAS_FAILED_BEFORE} as "hasFailedBefore"`,
    {
      ...credential,
      options: JSON.stringify(credential.options),
      assets: JSON.stringify(credential.assets),
      printSettings: JSON.stringify(credential.printSettings),
      particulars: credential.particulars && JSON.stringify(credential.particulars),
      results: credential.results && JSON.stringify(credential.results),
    },
  );
}

/** Records that a successor renews an available credential. */
export async function setRenewed(db: Knex, uuid: string): Promise<void> {
  await execute(db, `update credentials set renewed_at = now() where uuid = ?::uuid and ${isAvailable}`, [
    uuid,
  ]);
}

/** Returns the learner's credential under a configuration, unless it was invalidated or renewed. */
export async function findActive(
  db: Knex,
  key: { username: string; configurationId: number },
): Promise<Credential | undefined> {
  return queryRow<Credential>(
    db,
    `select ${credentialColumns} from credentials
     where username = :username and configuration_id = :configurationId and ${isActive}`,
    key,
  );
}

export async function findCredential(db: Knex, uuid: string): Promise<Credential | undefined> {
  return queryRow<Credential>(db, `select ${credentialColumns} from credentials where uuid = ?::uuid`, [
    uuid,
  ]);
}

/**
 * Returns the credential and locks its row until the transaction ends. If this call had to wait for another
 * transaction, a successor inserted by that one may not be visible yet. `findSuccessor` sees it.
 */
export async function lockCredential(db: Knex.Transaction, uuid: string): Promise<Credential | undefined> {
  return queryRow<Credential>(
    db,
    `select ${credentialColumns} from credentials where uuid = ?::uuid for update`,
    [uuid],
  );
}

/** Returns those of the credentials that exist. */
export async function findCredentials(db: Knex, uuids: readonly string[]): Promise<Credential[]> {
  const { rows } = await query<Credential>(
    db,
    "find_credentials",
    `select ${credentialColumns} from credentials where uuid = any (?::uuid[])`,
    [uuids],
  );
  return rows;
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

/** Notes which credential an existing one replaces. */
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

/** Returns the credential that replaces this one. */
export async function findSuccessor(db: Knex, uuid: string): Promise<Credential | undefined> {
  return queryRow<Credential>(db, `select ${credentialColumns} from credentials where replaces = ?::uuid`, [
    uuid,
  ]);
}

/** Returns those of the credentials that are generating. */
export async function findGenerating(db: Knex, ids: readonly number[]): Promise<Credential[]> {
  const { rows } = await query<Credential>(
    db,
    "find_generating",
    `select ${credentialColumns} from credentials where id = any (?::bigint[]) and ${isGenerating}`,
    [ids],
  );
  return rows;
}

/**
 * Starts an attempt to generate each credential's file. It supersedes earlier attempts, even of a worker that
 * resumes later.
 * @returns those that are still generating
 */
export async function recordAttempts(
  db: Knex,
  ids: readonly number[],
  locked: Locked,
): Promise<Credential[]> {
  return queryRows<Credential>(
    db,
    `with attempted as materialized (
       select id from credentials where id = any (?::bigint[]) and ${isGenerating} order by id ${forUpdate[locked]}
     )
     update credentials set attempt = attempt + 1
     where id = any (array(select id from attempted))
     returning ${credentialColumns}`,
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
  /** Only credentials that have expired, by the database's clock. */
  readonly isExpired?: boolean | undefined;
}

/**
 * Lists credentials with an id greater than `afterId`, in the order in which they were issued.
 *
 * The query asks for a range of the index whose leading columns the filter fixes, from the id onwards:
 * `(filter, id) > (...)`. With plain equality and `order by id`, Postgres may scan the primary key instead.
 * It would then read everybody's credentials and discard most of them.
 * @param options.withResults whether it also reads the results, which may be large
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
  restrict(`(${names}) > (${marks(values.length + 1)})`, ...values, afterId);
  if (values.length > 0) restrict(`(${Object.keys(leading)}) <= (${marks(values.length)})`, ...values);
  if (leading.status !== undefined) restrict(indexedStatus[leading.status]);
  else if (statuses !== undefined) restrict(`status in (${marks(statuses.length)})`, ...statuses);
  if (configurationId !== 0 && !("configuration_id" in leading))
    restrict("configuration_id = ?", configurationId);
  if (learningContextKey !== "" && !("learning_context_key" in leading)) {
    restrict("learning_context_key = ?", learningContextKey);
    // If the configuration belongs to another context, there are no results. This condition saves reading any
    // of its credentials.
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
  return queryRows<Credential>(
    db,
    `select ${withResults ? credentialColumns : listedColumns} from credentials where ${conditions.join(" and ")} order by ${names} limit ?`,
    [...bindings, limit],
  );
}

function marks(count: number): string {
  return Array(count).fill("?").join(", ");
}

/** A file that was stored. */
export interface CredentialFile {
  readonly key: string;
  readonly sha256: Uint8Array;
  /** Bytes. */
  readonly size: number;
  /** Fragment of the key that signed the badge in the file; null if there is no badge. */
  readonly badgeKey: string | null;
}

/** A file that an attempt has stored. */
export interface MadeFile {
  readonly credential: Pick<Credential, "id" | "attempt">;
  readonly file: CredentialFile;
}

/** @returns false if the attempt has been superseded; nothing has changed then */
export async function setFailed(
  db: Knex,
  attempted: { id: number; attempt: number },
  reason: string,
): Promise<boolean> {
  const changed = await execute(
    db,
    `update credentials set status = 'error', error_reason = ? where id = ? and attempt = ? and ${isGenerating}`,
    [reason, attempted.id, attempted.attempt],
  );
  return changed === 1;
}

/**
 * Marks credentials as failed because no further attempt will be made.
 * @returns those that were still generating
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

/** Revokes the links in mails that were already sent. @returns undefined if there is no such credential */
export async function setLinksRevoked(db: Knex, uuid: string): Promise<Credential | undefined> {
  return queryRow<Credential>(
    db,
    `update credentials set link_version = link_version + 1 where uuid = ?::uuid returning ${credentialColumns}`,
    [uuid],
  );
}

/**
 * Invalidates an available credential.
 * @returns undefined if it is not available
 */
export async function setInvalidated(
  db: Knex,
  uuid: string,
  by: { reason: string; invalidatedBy: Actor },
): Promise<Credential | undefined> {
  return queryRow<Credential>(
    db,
    `update credentials set
       status = 'invalidated', invalidation_reason = ?, invalidated_by = ?, invalidated_at = now()
     where uuid = ?::uuid and ${isAvailable}
     returning ${credentialColumns}`,
    [by.reason, by.invalidatedBy.name, uuid],
  );
}

/** A move of a file from one key to another. */
export interface FileMove {
  readonly from: string;
  readonly to: string;
}

/**
 * Records where the file of an invalidated credential is to be moved. A destination that was recorded before
 * stays.
 * @returns undefined if there is nothing (left) to move
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
 * @returns false if the learner was erased meanwhile, so that there must be no file any more
 */
export async function completeFileMove(db: Knex, uuid: string): Promise<boolean> {
  const changed = await execute(
    db,
    `update credentials set file_key = invalidated_file_key
     where uuid = ?::uuid and invalidated_file_key is not null`,
    [uuid],
  );
  return changed === 1;
}
