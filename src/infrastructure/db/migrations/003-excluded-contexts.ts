import type { Knex } from "knex";

/** Marks courses and paths that a connector's settings exclude. Their keys stay in the database. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw("alter table connector_contexts add column is_excluded boolean not null default false");
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("alter table connector_contexts drop column is_excluded");
}
