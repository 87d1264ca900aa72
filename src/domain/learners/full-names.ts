import { type Knex, queryRows } from "#infrastructure/db/query.js";
import { printedNameSql } from "./printed-name.js";

export async function findFullNames(
  db: Knex,
  usernames: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await queryRows<{ username: string; fullName: string }>(
    db,
    `select username, ${printedNameSql()} as "fullName" from learners where username = any (?::text[]) and not is_deleted`,
    [usernames],
  );
  return new Map(rows.map(({ username, fullName }) => [username, fullName]));
}
