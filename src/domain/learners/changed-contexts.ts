import { execute, type Knex, queryRow } from "#infrastructure/db/query.js";
import type { LearnerRecord } from "./record.js";

/**
 * If any configuration issues automatically, records that results or enrolments in these contexts may have changed. The
 * table of changed contexts is called `result_hints`.
 */
export async function markContextsChanged(
  transaction: Knex.Transaction,
  contextKeys: Iterable<string>,
): Promise<void> {
  const keys = [...new Set(contextKeys)];
  if (keys.length === 0) return;
  await execute(
    transaction,
    `insert into result_hints (context_key)
     select context_key from unnest(?::text[]) as changed (context_key)
     where exists (select from automatic_configurations)`,
    [keys],
  );
}

/** Returns the context of a record, or `undefined` for a learner's own record. */
export function contextOf(record: LearnerRecord): string | undefined {
  switch (record.kind) {
    case "learner":
      return undefined;
    case "learningPath":
      return record.pathKey;
    case "enrollment":
      return record.learningContextKey;
    default:
      return record.courseKey;
  }
}

/**
 * Removes a context that is due from the list of changed contexts, and locks its entries until the transaction ends.
 * Entries that are added meanwhile stay.
 * @returns undefined if no context is due, or if other processes have taken all of them
 */
export async function takeChangedContext(transaction: Knex.Transaction): Promise<string | undefined> {
  const taken = await queryRow<{ contextKey: string }>(
    transaction,
    `select context_key as "contextKey" from result_hints
     where due_at <= now() order by due_at limit 1 for update skip locked`,
  );
  if (!taken) return undefined;
  await execute(
    transaction,
    `delete from result_hints where id in (
       select id from result_hints where context_key = ? and due_at <= now() for update skip locked
     )`,
    [taken.contextKey],
  );
  return taken.contextKey;
}

/** Schedules another check of a context. */
export async function scheduleRecheck(
  transaction: Knex.Transaction,
  contextKey: string,
  seconds: number,
): Promise<void> {
  await execute(
    transaction,
    "insert into result_hints (context_key, due_at) values (?, now() + make_interval(secs => ?))",
    [contextKey, seconds],
  );
}
