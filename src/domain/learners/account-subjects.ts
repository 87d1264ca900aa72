import type { Database } from "#infrastructure/db/database.js";
import { describeOutage } from "#infrastructure/db/outage.js";
import { execute, hasRows, type Knex } from "#infrastructure/db/query.js";
import { inLearnerTransaction } from "./learner-transaction.js";

/** A username, and the subject to which the issuer has assigned it. */
export interface NamedSubject {
  readonly username: string;
  readonly issuer: string;
  readonly subject: string;
}

/**
 * Records the first subject of a username. For erased learners without a new record, nothing is recorded. An erasure in
 * progress delays the insert. If the database is read-only, the caller is still admitted, because nothing indicates
 * that the name belongs to someone else.
 */
export async function storeSubject(
  database: Database,
  { username, issuer, subject }: NamedSubject,
  signal: AbortSignal,
): Promise<void> {
  try {
    await inLearnerTransaction(database, signal, (transaction) =>
      execute(
        transaction,
        `insert into account_subjects (username, issuer, subject)
         select :username, :issuer, :subject
         where exists (select from learners where username = :username)
           or not exists (
             select from erasure_key join erased_learners
               on username_hash = sha256(erasure_key.key || convert_to(:username, 'UTF8'))
           )
         on conflict do nothing`,
        { username, issuer, subject },
      ),
    );
  } catch (error) {
    if (describeOutage(error) === undefined) throw error;
  }
}

/**
 * Releases a username, which then belongs to the next subject that uses it. Returns false if it belonged to no subject.
 */
export async function releaseName(db: Knex, username: string): Promise<boolean> {
  return hasRows(db, "delete from account_subjects where username = ?", [username]);
}

/** Returns whether an issuer has assigned the two usernames to different subjects. */
export async function areTwoSubjects(
  db: Knex,
  { username, newUsername }: { readonly username: string; readonly newUsername: string },
): Promise<boolean> {
  return hasRows(
    db,
    `select from account_subjects one join account_subjects other using (issuer)
     where one.username = :username and other.username = :newUsername and one.subject <> other.subject limit 1`,
    { username, newUsername },
  );
}

/** Returns whether an issuer has assigned the two usernames to the same subject. */
export async function haveSameSubject(
  db: Knex,
  { username, newUsername }: { readonly username: string; readonly newUsername: string },
): Promise<boolean> {
  return hasRows(
    db,
    `select from account_subjects one join account_subjects other using (issuer, subject)
     where one.username = :username and other.username = :newUsername limit 1`,
    { username, newUsername },
  );
}

export async function renameSubject(
  transaction: Knex.Transaction,
  { username, newUsername }: { readonly username: string; readonly newUsername: string },
): Promise<void> {
  await execute(
    transaction,
    `insert into account_subjects (username, issuer, subject)
     select :newUsername, issuer, subject from account_subjects where username = :username
     on conflict do nothing`,
    { username, newUsername },
  );
  await releaseName(transaction, username);
}
