import type { Knex } from "knex";

/**
 * Adds the words by which learners, credentials, courses and learning paths are found. The service computes them when it writes a name:
 * in SQL, that takes 130 µs a row. The words of a credential come from the printed name and from its learner's
 * record. A name that is corrected later is added to them, so that either one finds the credential.
 */
/** Each statement is a transaction of its own: calls take these tables in any order, and would deadlock with it. */
export const config = { transaction: false };

const tables = ["learners", "credentials", "courses", "learning_paths"];

export async function up(knex: Knex): Promise<void> {
  for (const table of tables)
    await knex.raw("alter table ?? add column if not exists search_words tsvector not null default ''", [
      table,
    ]);
  await knex.raw(`
    create or replace function add_search_words() returns trigger language plpgsql as $$
    begin
      update credentials set search_words = search_words || new.search_words where username = new.username;
      return null;
    end $$;
    do $$ begin
      execute format('alter function add_search_words() set search_path = %I, pg_temp', current_schema());
    end $$;
    create or replace trigger add_search_words after update on learners for each row
      when (old.search_words <> new.search_words and new.search_words <> '') execute function add_search_words();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("drop trigger if exists add_search_words on learners");
  await knex.raw("drop function if exists add_search_words");
  for (const table of tables) await knex.raw("alter table ?? drop column if exists search_words", [table]);
}
