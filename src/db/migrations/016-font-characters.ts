import type { Knex } from "knex";

/**
 * Stores the characters of each font. So issuing can check whether a name is printable without fetching the
 * font.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table asset_contents add column characters int4multirange;
    comment on column asset_contents.characters is
      'Code points that a font has glyphs for; null for other kinds, and for fonts uploaded before this migration.';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("alter table asset_contents drop column characters");
}
