import { lowerCaseSql } from "#infrastructure/db/lower-case.js";
import { type Knex, queryRow, queryValues } from "#infrastructure/db/query.js";
import { printedNameSql } from "./printed-name.js";

/**
 * Returns the usernames of learners with this address, at most two. Case is ignored. If an address
 * was corrected, the original address finds the learner only if no other learner uses it now.
 */
export function findLearnersByEmail(db: Knex, email: string): Promise<string[]> {
  const isSought = (column: string) =>
    `${lowerCaseSql(column)} = ${lowerCaseSql("?::text")} and not is_deleted`;
  return queryValues<string>(
    db,
    `select username from (
       select username, corrected_email is null as is_current from learners
       where email <> '' and ${isSought("email")}
       union all
       select username, true from learners
       where corrected_email is not null and ${isSought("corrected_email")}
       order by is_current desc fetch first row with ties
     ) as found limit 2`,
    [email, email],
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
