import type { Knex } from "knex";

/** Links that show a sample of a design to people without an account, as it was when the link was created. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table preview_links (
      id integer generated always as identity primary key,
      -- Secret part of the URL. Not hashed, because the row contains everything that the link shows.
      token text not null unique check (length(token) = 32),
      title text not null,
      -- Null if the design is not for a particular course or learning path.
      context_name text,
      -- Null if the credential type was not saved.
      credential_type_id integer references credential_types on delete cascade,
      configuration_id integer references credential_configurations on delete cascade,
      -- Empty if the design belongs to no organisation.
      organisation text not null,
      pdf bytea not null,
      -- Null if the document can't be drawn as a picture.
      png bytea,
      created_by text not null,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null
    );
    create index preview_links_by_type on preview_links (credential_type_id);
    create index preview_links_by_configuration on preview_links (configuration_id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("drop table preview_links");
}
