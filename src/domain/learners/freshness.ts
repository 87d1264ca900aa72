import { failedPrecondition } from "#foundation/errors.js";
import { type Knex, queryRows } from "#infrastructure/db/query.js";

/**
 * Refuses to issue from partial or outdated records. Records are partial if a connector has never read the course or
 * path completely, or no longer finds it. They are outdated if the last complete reading was too long ago. For a path,
 * the same applies to each of its courses.
 * @param named further courses whose records affect eligibility
 * @throws Problem `failed-precondition` naming the first course with such records, and the remedy
 */
export async function checkFresh(
  db: Knex,
  learningContextKey: string,
  named: readonly string[] = [],
): Promise<void> {
  const rows = await queryRows<{ connector: string; key: string; completeAt: Date | null }>(
    db,
    `select connector, context_key as key, complete_at as "completeAt" from connector_contexts
     where context_key = any (array[?::text] || coalesce((
         select step_course_keys from learning_paths where path_key = ? and not is_deleted
       ), '{}') || ?::text[])
       and (complete_at is null or complete_at < now() - fresh_for)
     order by context_key`,
    [learningContextKey, learningContextKey, named],
  );
  const [stale] = rows;
  if (!stale) return;
  const { connector, key, completeAt } = stale;
  const state =
    completeAt === null
      ? `has never read ${key} completely, or no longer finds it`
      : `last read ${key} completely at ${completeAt.toISOString()}`;
  throw failedPrecondition(
    `The connector ${connector} ${state}. Nothing is issued from partial or old data: ` +
      "see `connector status`, then run `connector sync`.",
  );
}
