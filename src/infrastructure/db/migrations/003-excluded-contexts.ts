import type { Knex } from "knex";

/** Courses and paths that a connector's settings exclude: their keys are kept. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw("alter table connector_contexts add column is_excluded boolean not null default false");
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("alter table connector_contexts drop column is_excluded");
}
