import type { Knex } from "knex";

/**
 * Adds the words by which learners, credentials, courses and learning paths are found. The service computes them when it writes a name:
 * in SQL, that takes 130 µs a row. The words of a credential come from the printed name and from its learner's
 * record. A name that is corrected later is added to them, so that either one finds the credential.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table learners add column search_words tsvector not null default '';
    alter table credentials add column search_words tsvector not null default '';
    alter table courses add column search_words tsvector not null default '';
    alter table learning_paths add column search_words tsvector not null default '';

    create function add_search_words() returns trigger language plpgsql as $$
    begin
      update credentials set search_words = search_words || new.search_words where username = new.username;
      return null;
    end $$;
    do $$ begin
      execute format('alter function add_search_words() set search_path = %I, pg_temp', current_schema());
    end $$;
    create trigger add_search_words after update on learners for each row
      when (old.search_words <> new.search_words and new.search_words <> '') execute function add_search_words();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger add_search_words on learners;
    drop function add_search_words;
    alter table learners drop column search_words;
    alter table credentials drop column search_words;
    alter table courses drop column search_words;
    alter table learning_paths drop column search_words;
  `);
}
