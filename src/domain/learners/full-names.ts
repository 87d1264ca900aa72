import type { Knex } from "knex";
import { queryRows } from "#infrastructure/db/query.js";
import { printedName } from "./printed-name.js";

/** Returns the names to print of learners who have a record, by username. */
export async function findFullNames(
  db: Knex,
  usernames: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await queryRows<{ username: string; fullName: string }>(
    db,
    `select username, ${printedName()} as "fullName" from learners where username = any (?::text[]) and not is_deleted`,
    [usernames],
  );
  return new Map(rows.map(({ username, fullName }) => [username, fullName]));
}
