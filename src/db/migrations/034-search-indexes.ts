import type { Knex } from "knex";
import { searchWords } from "../../text/search-words.js";

/** Rows that one transaction fills in. */
const BATCH = 5000;

/**
 * Each statement is a transaction of its own: calls are answered while the words of millions of rows are
 * computed. A migration that was interrupted begins again.
 */
export const config = { transaction: false };

/** Fills in the words of existing rows, and creates the indexes for searching. */
export async function up(knex: Knex): Promise<void> {
  await fillLearners(knex);
  await fillCredentials(knex);
  await fillContexts(knex, "courses", "course_key");
  await fillContexts(knex, "learning_paths", "path_key");
  for (const [name, definition] of Object.entries(indexes))
    await knex.raw(`create index if not exists ${name} on ${definition}`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`drop index if exists ${Object.keys(indexes).join(", ")}`);
}

/** A short list of pending entries, because every search reads it. */
const GIN = "gin (search_words) with (gin_pending_list_limit = 512)";

const indexes = {
  learners_by_words: `learners using ${GIN}`,
  learners_by_email: `learners ((lower(email) collate "C")) where email <> ''`,
  credentials_by_words: `credentials using ${GIN}`,
  credentials_by_time: "credentials (created_at)",
  credentials_by_issuer: "credentials (issued_by, id)",
};

async function fillLearners(knex: Knex): Promise<void> {
  for (let after = ""; ; ) {
    const { rows } = await knex.raw(
      "select username, full_name, learner_id from learners where username > ? order by username limit ?",
      [after, BATCH],
    );
    if (rows.length === 0) return;
    await knex.raw(
      `update learners set search_words = filled.words
       from unnest(?::text[], ?::tsvector[]) as filled (username, words)
       where learners.username = filled.username and not is_deleted`,
      [
        rows.map(({ username }: LearnerRow) => username),
        rows.map(({ username, full_name, learner_id }: LearnerRow) =>
          searchWords(full_name, username, learner_id),
        ),
      ],
    );
    after = rows.at(-1).username;
  }
}

interface LearnerRow {
  readonly username: string;
  readonly full_name: string;
  readonly learner_id: string;
}

async function fillCredentials(knex: Knex): Promise<void> {
  for (let after = "0"; ; ) {
    const { rows } = await knex.raw(
      `select id, username, user_full_name from credentials where id > ? order by id limit ?`,
      [after, BATCH],
    );
    if (rows.length === 0) return;
    await knex.raw(
      `update credentials set search_words = filled.words || coalesce(learners.search_words, '')
       from unnest(?::bigint[], ?::tsvector[]) as filled (id, words)
       join credentials known on known.id = filled.id
       left join learners on learners.username = known.username
       where credentials.id = filled.id and credentials.erased_at is null`,
      [
        rows.map(({ id }: CredentialRow) => id),
        rows.map(({ username, user_full_name }: CredentialRow) => searchWords(user_full_name, username)),
      ],
    );
    after = rows.at(-1).id;
  }
}

interface CredentialRow {
  readonly id: string;
  readonly username: string;
  readonly user_full_name: string;
}

/** There are few of them. */
async function fillContexts(knex: Knex, table: string, column: string): Promise<void> {
  const { rows } = await knex.raw("select ?? as key, display_name from ?? where not is_deleted", [
    column,
    table,
  ]);
  await knex.raw(
    `update ?? set search_words = filled.words from unnest(?::text[], ?::tsvector[]) as filled (key, words) where ?? = key`,
    [
      table,
      rows.map(({ key }: ContextRow) => key),
      rows.map(({ key, display_name }: ContextRow) => searchWords(display_name, key)),
      column,
    ],
  );
}

interface ContextRow {
  readonly key: string;
  readonly display_name: string;
}
