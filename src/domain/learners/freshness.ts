import type { Knex } from "knex";
import { failedPrecondition } from "#foundation/errors.js";
import { queryRows } from "#infrastructure/db/query.js";

/**
 * Refuses to issue under a configuration from partial or old facts. They are so if a connector has never read its
 * course or path, one of the path's courses, or a course that its requirements name completely, or too long ago.
 * @throws Problem `failed-precondition` naming the first course, and what to do
 */
export async function checkFresh(
  db: Knex,
  learningContextKey: string,
  configurationId: number,
): Promise<void> {
  const rows = await queryRows<{ connector: string; key: string; completeAt: Date | null }>(
    db,
    `select connector, context_key as key, complete_at as "completeAt" from connector_contexts
     where context_key = any (array[?::text] || coalesce((
         select step_course_keys from learning_paths where path_key = ? and not is_deleted
       ), '{}') || array(
         select link.context_key from requirement_links link
         where link.configuration_id = ? and link.context_key is not null and link.held_type_id is null
       ))
       and (complete_at is null or complete_at < now() - fresh_for)
     order by context_key`,
    [learningContextKey, learningContextKey, configurationId],
  );
  const [stale] = rows;
  if (!stale) return;
  const { connector, key, completeAt } = stale;
  const state =
    completeAt === null ? "never, or is no longer listed there" : `last at ${completeAt.toISOString()}`;
  throw failedPrecondition(
    `${key} was read completely by the connector ${connector} ${state}: nothing is issued from partial or old facts. ` +
      "`connector status` says why, and `connector sync` reads it.",
  );
}
