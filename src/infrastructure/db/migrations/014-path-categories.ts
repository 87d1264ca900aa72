import type { Knex } from "knex";

/** The terms for learning paths. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw("alter table learning_paths add column category text not null default ''");
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("alter table learning_paths drop column category");
}
