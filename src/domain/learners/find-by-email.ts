import type { Knex } from "knex";
import { lowerCaseSql } from "#infrastructure/db/lower-case.js";
import { queryRow, queryValues } from "#infrastructure/db/query.js";
import { printedName } from "./printed-name.js";

/** Returns the usernames of the learners with this email address, in either case; at most two. */
export function findLearnersByEmail(db: Knex, email: string): Promise<string[]> {
  return queryValues<string>(
    db,
    `select username from learners
     where email <> '' and ${lowerCaseSql("email")} = ${lowerCaseSql("?::text")} and not is_deleted limit 2`,
    [email],
  );
}

/** Returns a learner's full name as it would be printed; empty if the learner has no record. */
export async function findPrintedName(db: Knex, username: string): Promise<string> {
  const row = await queryRow<{ name: string | null }>(
    db,
    `select ${printedName("learner")} as name from learners learner where username = ? and not is_deleted`,
    [username],
  );
  return row?.name ?? "";
}
