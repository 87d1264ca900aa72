import type { Knex } from "knex";

/** Courses and credentials in the requirements of a configuration, besides its own course or path. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table requirement_links (
      configuration_id integer not null references credential_configurations on delete cascade,
      -- If a credential of a type is required, the course or path of the credential; null for any. If a credential of a
      -- configuration is required, null. Otherwise, the course whose results are required.
      context_key text collate "C" check (length(context_key) <= 255),
      held_type_id integer references credential_types on delete restrict,
      held_configuration_id integer references credential_configurations on delete restrict,
      check (num_nonnulls(held_type_id, held_configuration_id) <= 1),
      check (num_nonnulls(context_key, held_type_id, held_configuration_id) > 0),
      unique nulls not distinct (configuration_id, context_key, held_type_id, held_configuration_id)
    );
    create index requirement_links_by_context on requirement_links (context_key);
    create index requirement_links_by_type on requirement_links (held_type_id) where held_type_id is not null;
    create index requirement_links_by_configuration on requirement_links (held_configuration_id)
      where held_configuration_id is not null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("drop table requirement_links");
}
