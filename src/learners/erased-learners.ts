import type { Knex } from "knex";

/** SQL: what is kept of an erased learner's username, where `erasure_key` is at hand. */
const hashOf = (username: string) => `sha256(erasure_key.key || convert_to(${username}, 'UTF8'))`;

/** As records tell moments: texts of this form are in the order of what they stand for. */
const moment = `to_char(erased_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** Waits for the transactions of those who write about learners, and holds new ones up until this one ends. */
export async function lockForErasure(transaction: Knex.Transaction): Promise<void> {
  await transaction.raw("lock table erased_learners in exclusive mode");
}

/** Most databases have never seen an erasure, and need not be asked about each learner. */
export async function isAnyoneErased(db: Knex): Promise<boolean> {
  const { rows } = await db.raw("select from erased_learners limit 1");
  return rows.length > 0;
}

/** Those of the learners who were erased, with the moment: ISO 8601 in UTC, with microseconds. */
export async function findErased(
  db: Knex,
  usernames: Iterable<string>,
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await db.raw(
    `select told.username, ${moment} as "erasedAt"
     from erasure_key
     cross join unnest(?::text[]) as told (username)
     join erased_learners on username_hash = ${hashOf("told.username")}
     where exists (select from erased_learners)`,
    [[...usernames]],
  );
  return new Map(rows.map((row: { username: string; erasedAt: string }) => [row.username, row.erasedAt]));
}

/** Keeps that the learner was erased, now. */
export async function noteErasure(transaction: Knex.Transaction, username: string): Promise<void> {
  await transaction.raw(
    `insert into erased_learners (username_hash, erased_at)
     select ${hashOf("?::text")}, clock_timestamp() from erasure_key
     on conflict (username_hash) do update set erased_at = excluded.erased_at`,
    [username],
  );
}
