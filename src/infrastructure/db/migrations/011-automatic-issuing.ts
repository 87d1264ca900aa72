import type { Knex } from "knex";

/**
 * Configurations that issue credentials as soon as their requirements are met, and contexts whose results have changed.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Configurations that issue automatically, derived from the options of the configurations and their types.
    create table automatic_configurations (
      configuration_id integer primary key references credential_configurations on delete cascade
    );

    -- Rows are only inserted and deleted, never updated, so that concurrent imports of results of the same course
    -- don't wait for each other.
    create table result_hints (
      id bigint generated always as identity primary key,
      context_key text collate "C" not null check (length(context_key) <= 255),
      due_at timestamptz not null default now()
    );
    create index result_hints_by_time on result_hints (due_at);
    create index result_hints_by_context on result_hints (context_key);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("drop table result_hints, automatic_configurations");
}
