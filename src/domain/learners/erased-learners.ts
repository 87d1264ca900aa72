import { execute, hasRows, type Knex, queryRows, queryValues } from "#infrastructure/db/query.js";

/** SQL: the hash of an erased learner's username. The query must include the table `erasure_key`. */
const hashOf = (username: string) => `sha256(erasure_key.key || convert_to(${username}, 'UTF8'))`;

/** SQL: the time of an erasure as text, in the format of records, which sorts by time. */
const moment = `to_char(erased_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** Waits for transactions that write data about learners, and blocks new ones until this transaction ends. */
export async function lockForErasure(transaction: Knex.Transaction): Promise<void> {
  await execute(transaction, "lock table erased_learners in exclusive mode");
}

/**
 * Returns whether any learner was erased. In most databases, no learner was, so that checks of each learner can be
 * skipped.
 */
export async function isAnyoneErased(db: Knex): Promise<boolean> {
  return hasRows(db, "select from erased_learners limit 1");
}

/** Returns the times of erasure by username, as ISO 8601 in UTC with microseconds. */
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

export async function noteErasure(transaction: Knex.Transaction, username: string): Promise<void> {
  await execute(
    transaction,
    `insert into erased_learners (username_hash, erased_at)
     select ${hashOf("?::text")}, clock_timestamp() from erasure_key
     on conflict (username_hash) do update set erased_at = excluded.erased_at`,
    [username],
  );
}

/** Returns the times of erasure of learners who have no new record. They must stay erased. */
export async function findExcluded(
  db: Knex,
  usernames: Iterable<string>,
): Promise<ReadonlyMap<string, string>> {
  const erased = await findErased(db, usernames);
  const readmitted = await findReadmitted(db, erased.keys());
  return new Map([...erased].filter(([username]) => !readmitted.has(username)));
}

/** Returns the erased learners who have a record again. */
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
