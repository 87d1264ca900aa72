import { statusSql } from "#foundation/credential-status.js";
import { execute, type Knex, queryRow, queryRows, queryValue } from "#infrastructure/db/query.js";
import { isReserved } from "#infrastructure/identity/actors.js";
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

/** A credential before the erasure. */
export type ErasableCredential = Pick<Credential, (typeof erasableFields)[number]>;

interface Identity {
  /** The recorded name, followed by the corrected name if there is one. */
  readonly fullName: string;
  /** The recorded and the corrected address. */
  readonly emails: readonly string[];
  readonly learnerId: string;
}

/** Error reason of a credential whose learner was erased before it became available. */
const ERASED = "The learner was erased.";

/** Finds the texts that identify the learner. A withdrawn record has empty texts. */
export async function findIdentity(db: Knex, username: string): Promise<Identity | undefined> {
  return queryRow<Identity>(
    db,
    `select concat_ws(' ', full_name, corrected_name) as "fullName",
       array_remove(array[email, corrected_email], null) as emails, learner_id as "learnerId"
     from learners where username = ?`,
    [username],
  );
}

/** Returns the learner's credentials, in the order in which they were issued. */
export async function findErasable(db: Knex, username: string): Promise<ErasableCredential[]> {
  return queryRows<ErasableCredential>(
    db,
    `select ${selected(...erasableFields)} from credentials where username = ? order by id`,
    [username],
  );
}

export async function lockErasable(
  transaction: Knex.Transaction,
  username: string,
): Promise<ErasableCredential[]> {
  await execute(transaction, "select from credentials where username = ? order by id for update", [username]);
  return findErasable(transaction, username);
}

/** Counts rows in which the username identifies an actor. */
export async function countActs(db: Knex, username: string): Promise<number> {
  if (isReserved(username)) return 0; // no learner has a reserved username
  const counts = actorColumns.map(
    ([table, column]) => `(select count(*) from ${table} where ${column} = :username)`,
  );
  counts.push("(select count(*) from credential_event_actors where name = :username and kind = 'user')");
  return queryValue<number>(db, `select ${counts.join(" + ")} as count`, {
    username,
  });
}

/**
 * Removes everything that identifies the learner. A credential that is still generating fails, because it has lost its
 * content.
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
       commitment_seed = default, -- guessed names can't be tested against earlier commitments without the old seed
       error_reason = case when ${isFailed} or ${isGenerating} then :erased else '' end,
       status = case when ${isGenerating} then 'error' else status end,
       erased_at = now()
     where username = :username`,
    { username, pseudonym, erased: ERASED },
  );
}

/**
 * Removes the learner from runs. For a failed credential, the run still shows the failure, but no longer the reason.
 *
 * The hash of a plan for few learners could confirm a guessed name. Therefore, all plans that may have included the
 * learner lose their hash.
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

/** Replaces the learner's username with a pseudonym wherever it identifies an actor. */
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
