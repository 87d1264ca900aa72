import { lowerCaseSql } from "#infrastructure/db/lower-case.js";
import { type Knex, queryRow, queryValues } from "#infrastructure/db/query.js";
import { printedNameSql } from "./printed-name.js";

/** Returns the usernames of learners with this address, at most two. Case is ignored. */
export function findLearnersByEmail(db: Knex, email: string): Promise<string[]> {
  return queryValues<string>(
    db,
    `select username from learners
     where email <> '' and ${lowerCaseSql("email")} = ${lowerCaseSql("?::text")} and not is_deleted limit 2`,
    [email],
  );
}

/** Returns the name to print, or an empty string if the learner has no record. */
export async function findPrintedName(db: Knex, username: string): Promise<string> {
  const row = await queryRow<{ name: string | null }>(
    db,
    `select ${printedNameSql("learner")} as name from learners learner where username = ? and not is_deleted`,
    [username],
  );
  return row?.name ?? "";
}
