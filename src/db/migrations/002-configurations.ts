import type { Knex } from "knex";

/** Creates the tables of credential types, and of the contexts that offer them. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table credential_types (
      id integer generated always as identity primary key,
      name text not null unique check (length(name) between 1 and 255),
      retrieval_func text not null,
      generation_func text not null,
      custom_options jsonb not null check (jsonb_typeof(custom_options) = 'object')
    );

    create table credential_configurations (
      id integer generated always as identity primary key,
      learning_context_key text collate "C" not null check (length(learning_context_key) <= 255),
      credential_type_id integer not null references credential_types on delete restrict,
      custom_options jsonb not null check (jsonb_typeof(custom_options) = 'object'),
      unique (learning_context_key, credential_type_id)
    );
    create index credential_configurations_by_type on credential_configurations (credential_type_id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("drop table credential_configurations, credential_types");
}
