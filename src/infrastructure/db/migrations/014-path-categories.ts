import type { Knex } from "knex";

/** The category of a learning path: the term that learners see instead of "learning path". */
export async function up(knex: Knex): Promise<void> {
  await knex.raw("alter table learning_paths add column category text not null default ''");
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("alter table learning_paths drop column category");
}
