import type { Knex } from "knex";

/** Codes of other systems under which imported credentials can still be verified. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table credential_aliases (
      -- Code by which the other system identifies the credential. UUIDs are stored in lower case with hyphens; any
      -- other code is stored unchanged.
      alias text collate "C" primary key check (length(alias) between 8 and 255),
      credential_uuid uuid not null references credentials (uuid)
    );
    create index credential_aliases_by_credential on credential_aliases (credential_uuid);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("drop table credential_aliases");
}
