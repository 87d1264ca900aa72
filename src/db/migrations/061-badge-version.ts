import type { Knex } from "knex";

/**
 * Adds how the badge in a file was composed, so that the file can be made again, byte for byte, by versions
 * that compose badges differently.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table credentials
      -- null: there is no badge, or it is of the first version.
      add column badge_version smallint
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("alter table credentials drop column badge_version");
}
