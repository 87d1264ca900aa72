import type { Knex } from "knex";
import { statusSql } from "#foundation/credential-status.js";
import { execute, queryRow, queryRowOrThrow, queryRows, queryValue } from "#infrastructure/db/query.js";
import { isReserved } from "#infrastructure/identity/actors.js";
import { learnerTables } from "../../learners/record-tables.js";
import type { Credential } from "../credential.js";
import { selected } from "../credential-columns.js";
import { actorColumns } from "./personal-columns.js";

const { isFailed, isGenerating } = statusSql();

const erasableFields = [
  "id",
  "uuid",
  "configurationId",
  "status",
  "learningContextKey",
  "credentialType",
  "userFullName",
  "particulars",
  "fileKey",
  "invalidatedFileKey",
  "invalidationReason",
] as const;

/** A credential before its name is erased. */
export type ErasableCredential = Pick<Credential, (typeof erasableFields)[number]>;

/** Number of records about a learner in each table, including withdrawn records. */
export type RecordCounts = Readonly<Record<string, number>>;

/** Texts that identify the learner. */
export interface Identity {
  /** Includes the corrected name, if there is one. */
  readonly fullName: string;
  /** The recorded address and the corrected one. */
  readonly emails: readonly string[];
  readonly learnerId: string;
}

/** Error reason of a credential that was not yet available when its learner was erased. */
export const ERASED = "The learner was erased.";

export async function countRecords(db: Knex, username: string): Promise<RecordCounts> {
  const counts = learnerTables.map(
    ({ name }) => `(select count(*) from ${name} where username = :username) as ${name}`,
  );
  return queryRowOrThrow<RecordCounts>(db, `select ${counts.join(", ")}`, { username });
}

/** Returns the identity from the learner's record; it is empty in a withdrawn record. */
export async function findIdentity(db: Knex, username: string): Promise<Identity | undefined> {
  return queryRow<Identity>(
    db,
    `select concat_ws(' ', full_name, corrected_name) as "fullName",
       array_remove(array[email, corrected_email], null) as emails, learner_id as "learnerId"
     from learners where username = ?`,
    [username],
  );
}

/** Ordered by the time of issuing. */
export async function findErasable(db: Knex, username: string): Promise<ErasableCredential[]> {
  return queryRows<ErasableCredential>(
    db,
    `select ${selected(...erasableFields)} from credentials where username = ? order by id`,
    [username],
  );
}

/** Like `findErasable`, and locks the rows until the transaction ends. */
export async function lockErasable(
  transaction: Knex.Transaction,
  username: string,
): Promise<ErasableCredential[]> {
  await execute(transaction, "select from credentials where username = ? order by id for update", [username]);
  return findErasable(transaction, username);
}

/** Counts the rows in which the username identifies an actor. */
export async function countActs(db: Knex, username: string): Promise<number> {
  if (isReserved(username)) return 0; // nobody else acts under reserved names
  const counts = actorColumns.map(
    ([table, column]) => `(select count(*) from ${table} where ${column} = :username)`,
  );
  counts.push("(select count(*) from credential_event_actors where name = :username and kind = 'user')");
  return queryValue<number>(db, `select ${counts.join(" + ")} as count`, {
    username,
  });
}

export async function deleteRecords(transaction: Knex.Transaction, username: string): Promise<void> {
  for (const { name } of learnerTables)
    await execute(transaction, `delete from ${name} where username = ?`, [username]);
}

/**
 * Removes everything from credentials that identifies their learner. A credential that is not yet available fails,
 * because the attempt that is generating its file is superseded.
 */
export async function eraseCredentials(
  transaction: Knex.Transaction,
  username: string,
  pseudonym: string,
): Promise<void> {
  for (const table of ["credential_seals", "credential_aliases"])
    await execute(
      transaction,
      `delete from ${table} where credential_uuid in (select uuid from credentials where username = ?)`,
      [username],
    );
  await execute(
    transaction,
    `update credentials set
       username = :pseudonym, user_full_name = '', search_words = '', particulars = null, results = null, address_hash = null,
       legacy_id = '',
       file_key = null, file_sha256 = null, file_size = null, invalidated_file_key = null,
       link_version = link_version + 1,
       commitment_seed = default, -- without the old one, names can't be tried on the commitments of before
       error_reason = case when ${isFailed} or ${isGenerating} then :erased else '' end,
       status = case when ${isGenerating} then 'error' else status end,
       erased_at = now()
     where username = :username`,
    { username, pseudonym, erased: ERASED },
  );
}

/**
 * Removes the learner from runs. A run keeps the fact that a credential failed, but not the reason.
 *
 * A name could be guessed from the hash of a plan for few learners. So every plan that may have included the
 * learner loses its hash.
 */
export async function eraseFromRuns(transaction: Knex.Transaction, username: string): Promise<void> {
  await execute(
    transaction,
    `update issuance_runs set plan_hash = ''
     where id in (select run_id from credentials where username = :username)
        or configuration_id in (
          select configuration.id from credential_configurations configuration
          join enrollments using (learning_context_key) where username = :username
        )`,
    { username },
  );
  await execute(
    transaction,
    `update issuance_run_failures set reason = ?
     where credential_uuid in (select uuid from credentials where username = ?)`,
    [ERASED, username],
  );
}

export async function setInvalidationReason(db: Knex, uuid: string, reason: string): Promise<void> {
  await execute(db, "update credentials set invalidation_reason = ? where uuid = ?::uuid", [reason, uuid]);
}

/** Replaces the learner with a pseudonym wherever they acted as a member of staff. */
export async function replaceActor(
  transaction: Knex.Transaction,
  username: string,
  pseudonym: string,
): Promise<void> {
  if (isReserved(username)) return;
  await execute(transaction, "select erase_credential_event_actor(?, ?)", [username, pseudonym]);
  for (const [table, column] of actorColumns)
    await execute(transaction, `update ${table} set ${column} = ? where ${column} = ?`, [
      pseudonym,
      username,
    ]);
}

/** Returns the `uuid` of a credential if its learner was erased. */
export async function findErasedUuid(
  db: Knex,
  key: { readonly id: number } | { readonly uuid: string },
): Promise<string | undefined> {
  const [column, value] = "id" in key ? ["id", key.id] : ["uuid", key.uuid];
  const row = await queryRow<{ uuid: string }>(
    db,
    "select uuid from credentials where ?? = ? and erased_at is not null",
    [column, value],
  );
  return row?.uuid;
}
