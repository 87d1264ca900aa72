import { type Knex, queryValues } from "#infrastructure/db/query.js";
import { withinSql } from "../learners/organisations.js";

/** SQL: whether the learner has an enrolment or a credential in the courses and paths of `:organisations`. */
export function belongsToSql(username: string, organisations: readonly string[]): string {
  const isWithin = withinSql("learning_context_key", organisations, ":organisations");
  return `(exists (
      select from enrollments
      where enrollments.username = ${username} and not is_deleted and ${isWithin}
    ) or exists (
      select from credentials where credentials.username = ${username} and ${isWithin}
    ))`;
}

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
