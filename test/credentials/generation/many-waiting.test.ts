import type { Knex } from "knex";
import { beforeAll, expect, it } from "vitest";
import { findGenerating, recordAttempts } from "#domain/credentials/credential-store.js";
import { publishFiles } from "#domain/credentials/generation/publishing-store.js";
import { givenDatabase } from "../../support/database.js";
import { configureContexts } from "../configured-contexts.js";

const WAITING = 3000;
const GROUP = 10;

const db = givenDatabase();
let ids: number[];

/** A run has just started. According to the statistics, no credential is generating. */
beforeAll(async () => {
  const { knex } = db.database;
  await configureContexts(knex, ["course-v1:Run+1+1"]);
  await knex.raw(
    `insert into credentials (
       username, configuration_id, learning_context_key, status, file_key, file_sha256, file_size, issued_by,
       user_full_name, learning_context_name, credential_type, generation_func, options, assets, print_settings, created_at
     )
     select 'learner ' || number, configuration.id, learning_context_key, 'available', 'key', sha256(''), 1, 'test',
       'Name', 'Course', 't', 'g', '{}', '{}', '{}', date_trunc('second', now())
     from generate_series(1, ?) as number cross join credential_configurations configuration`,
    [WAITING],
  );
  await knex.raw("vacuum analyze credentials");
  await knex.raw(
    "update credentials set status = 'generating', file_key = null, file_sha256 = null, file_size = null",
  );
  ids = await knex("credentials").orderBy("id").limit(GROUP).pluck("id");
});

const statements: [string, (transaction: Knex.Transaction) => Promise<unknown>][] = [
  ["begins", (transaction) => findGenerating(transaction, ids)],
  ["begins again", (transaction) => recordAttempts(transaction, ids, "leave out")],
  ["is published", (transaction) => publishFiles(transaction, ids.map(made), "leave out")],
];

it.each(statements)("a group of credentials that %s reads few other waiting ones", async (_, statement) => {
  const read = await reading("credentials", "seq_tup_read + idx_tup_fetch", statement);
  expect(read).toBeGreaterThanOrEqual(GROUP);
  expect(read).toBeLessThan(WAITING / 2);
});

it.each(statements.slice(0, 2))(
  "a group of credentials that %s looks for no emails",
  async (_, statement) => {
    expect(await reading("credential_mails", "seq_scan + idx_scan", statement)).toBe(0);
  },
);

/**
 * Runs the statement and rolls it back.
 * @returns the sum of `counters`, PostgreSQL's statistics of the table, for the statement alone
 */
async function reading(
  table: string,
  counters: string,
  statement: (transaction: Knex.Transaction) => Promise<unknown>,
): Promise<number> {
  const transaction = await db.database.knex.transaction();
  const counted = async () => {
    const { rows } = await transaction.raw(
      `select (${counters})::int as count from pg_stat_xact_user_tables where relname = ?`,
      [table],
    );
    return rows[0].count;
  };
  try {
    const before = await counted(); // may include earlier transactions of the connection
    await statement(transaction);
    return (await counted()) - before;
  } finally {
    await transaction.rollback();
  }
}

function made(id: number) {
  const file = { key: `files/${id}`, sha256: new Uint8Array(32), size: 1, badgeKey: null, seal: null };
  return { credential: { id, attempt: 0 }, file };
}
