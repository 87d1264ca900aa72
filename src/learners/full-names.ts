import type { Knex } from "knex";

/** Returns the full names of learners who have a record, by username. */
export async function findFullNames(
  db: Knex,
  usernames: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await db.raw(
    `select username, full_name as "fullName" from learners where username = any (?::text[]) and not is_deleted`,
    [usernames as string[]],
  );
  return new Map(
    rows.map(({ username, fullName }: { username: string; fullName: string }) => [username, fullName]),
  );
}
