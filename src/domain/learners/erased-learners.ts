import type { Knex } from "knex";
import { execute, hasRows, queryRows, queryValues } from "#infrastructure/db/query.js";

/** SQL: the hash that is kept of an erased learner's username; requires `erasure_key` in scope. */
const hashOf = (username: string) => `sha256(erasure_key.key || convert_to(${username}, 'UTF8'))`;

/** SQL: a time in the format of records. Texts in this format sort by time. */
const moment = `to_char(erased_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** Waits for all transactions that write about learners, and holds up new ones until this one ends. */
export async function lockForErasure(transaction: Knex.Transaction): Promise<void> {
  await execute(transaction, "lock table erased_learners in exclusive mode");
}

/**
 * Returns whether any learner was ever erased. Most databases have no erasures, so checks per learner can be skipped.
 */
export async function isAnyoneErased(db: Knex): Promise<boolean> {
  return hasRows(db, "select from erased_learners limit 1");
}

/** Returns which of the learners were erased, with the time of erasure: ISO 8601 in UTC, with microseconds. */
export async function findErased(
  db: Knex,
  usernames: Iterable<string>,
): Promise<ReadonlyMap<string, string>> {
  const rows = await queryRows<{ username: string; erasedAt: string }>(
    db,
    `select requested.username, ${moment} as "erasedAt"
     from erasure_key
     cross join unnest(?::text[]) as requested (username)
     join erased_learners on username_hash = ${hashOf("requested.username")}
     where exists (select from erased_learners)`,
    [[...usernames]],
  );
  return new Map(rows.map((row) => [row.username, row.erasedAt]));
}

/** Records that the learner was erased now. */
export async function noteErasure(transaction: Knex.Transaction, username: string): Promise<void> {
  await execute(
    transaction,
    `insert into erased_learners (username_hash, erased_at)
     select ${hashOf("?::text")}, clock_timestamp() from erasure_key
     on conflict (username_hash) do update set erased_at = excluded.erased_at`,
    [username],
  );
}

/** Returns which of the learners must stay erased, with the time of erasure: no record of them has been sent since. */
export async function findExcluded(
  db: Knex,
  usernames: Iterable<string>,
): Promise<ReadonlyMap<string, string>> {
  const erased = await findErased(db, usernames);
  const readmitted = await findReadmitted(db, erased.keys());
  return new Map([...erased].filter(([username]) => !readmitted.has(username)));
}

/** Returns which of the erased learners have a record again. */
export async function findReadmitted(db: Knex, erased: Iterable<string>): Promise<ReadonlySet<string>> {
  const usernames = [...erased];
  if (usernames.length === 0) return new Set();
  const found = await queryValues<string>(
    db,
    "select username from learners where username = any (?::text[]) and not is_deleted",
    [usernames],
  );
  return new Set(found);
}
