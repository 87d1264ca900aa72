import type { Knex } from "knex";
import { queryValues } from "#infrastructure/db/query.js";
import { withinSql } from "../learners/organisations.js";

/**
 * SQL: true if a caller who is restricted to `:organisations` may access the learner, because the learner is enrolled
 * in one of their courses or paths, or has a credential for one.
 */
export function belongsToSql(username: string, organisations: readonly string[]): string {
  const isWithin = withinSql("learning_context_key", organisations, ":organisations");
  return `(exists (
      select from enrollments
      where enrollments.username = ${username} and not is_deleted and ${isWithin}
    ) or exists (
      select from credentials where credentials.username = ${username} and ${isWithin}
    ))`;
}

/** Returns the learners whom a caller restricted to these organisations may access. */
export async function learnersOf(
  db: Knex,
  usernames: readonly string[],
  organisations: readonly string[],
): Promise<string[]> {
  return queryValues<string>(
    db,
    `select username from unnest(:usernames::text[]) as requested (username)
     where ${belongsToSql("requested.username", organisations)}`,
    { usernames: [...usernames], organisations: [...organisations] },
  );
}
