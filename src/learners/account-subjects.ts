import type { Knex } from "knex";
import type { Database } from "../db/database.js";
import { describeOutage } from "../db/outage.js";

/** Whom a token names, and to whom its issuer says that the name belongs. */
export interface NamedSubject {
  readonly username: string;
  readonly issuer: string;
  readonly subject: string;
}

/**
 * Keeps the first subject of a name. Nothing is kept of learners who were erased: they have no record.
 * A database that takes no changes does not keep callers out: the name is theirs as far as anybody knows.
 */
export async function keepSubject(
  { knex }: Database,
  { username, issuer, subject }: NamedSubject,
): Promise<void> {
  try {
    await knex.raw(
      `insert into account_subjects (username, issuer, subject)
       select :username, :issuer, :subject
       where exists (select from learners where username = :username)
         or not exists (
           select from erasure_key join erased_learners
             on username_hash = sha256(erasure_key.key || convert_to(:username, 'UTF8'))
         )
       on conflict do nothing`,
      { username, issuer, subject },
    );
  } catch (error) {
    if (describeOutage(error) === undefined) throw error;
  }
}

/** Has a name belong to nobody, until somebody comes with it. @returns whether it belonged to anybody */
export async function releaseName(db: Knex, username: string): Promise<boolean> {
  const { rowCount } = await db.raw("delete from account_subjects where username = ?", [username]);
  return rowCount > 0;
}
