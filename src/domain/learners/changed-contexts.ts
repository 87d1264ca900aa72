import { execute, type Knex, queryRow, queryValues } from "#infrastructure/db/query.js";
import type { PlainRecord } from "./plain-record.js";
import type { LearnerRecord } from "./record.js";

/**
 * Notes in the table `result_hints` that results or enrolments in these contexts may have changed. Does nothing if no
 * configuration issues automatically.
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

/**
 * Notes in the table `result_hints` all contexts in which these learners are enrolled and a configuration issues
 * automatically, because the learners may now be eligible.
 */
export async function markContextsOf(
  transaction: Knex.Transaction,
  usernames: readonly string[],
): Promise<void> {
  if (usernames.length === 0) return;
  await execute(
    transaction,
    `insert into result_hints (context_key)
     select distinct learning_context_key
     from automatic_configurations
     join credential_configurations configuration on configuration.id = configuration_id
     join enrollments enrolment using (learning_context_key)
     where username = any (?::text[]) and is_active and not is_deleted`,
    [usernames],
  );
}

/**
 * Returns the learners in `records` who have no stored record yet, or whose stored record has another name. Automatic
 * issuing may have skipped these learners. Returns nobody if no configuration issues automatically.
 */
export async function findNewlyNamed(db: Knex, records: readonly LearnerRecord[]): Promise<string[]> {
  const learners = records.flatMap((record) =>
    record.kind === "learner" && !record.isDeleted ? [record] : [],
  );
  if (learners.length === 0) return [];
  return queryValues<string>(
    db,
    `select distinct reported.username from unnest(?::text[], ?::text[]) as reported (username, full_name)
     left join learners known on known.username = reported.username and not known.is_deleted
     where exists (select from automatic_configurations)
       and known.full_name is distinct from reported.full_name`,
    [learners.map(({ username }) => username), learners.map(({ fullName }) => fullName)],
  );
}

/** Returns the context of a record, or `undefined` for a learner's own record. */
export function contextOfRecord(record: LearnerRecord | PlainRecord): string | undefined {
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

/** Has a context checked again after this many seconds, unless a check is already due by then. */
export async function scheduleRecheck(
  transaction: Knex.Transaction,
  contextKey: string,
  seconds: number,
): Promise<void> {
  await execute(
    transaction,
    `insert into result_hints (context_key, due_at)
     select :contextKey, recheck.due_at from (select now() + make_interval(secs => :seconds) as due_at) recheck
     where not exists (select from result_hints hint where context_key = :contextKey and hint.due_at <= recheck.due_at)`,
    { contextKey, seconds },
  );
}
