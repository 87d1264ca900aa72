import type { Knex } from "knex";

/** Finds the credential of a file by the file's SHA-256: whoever has a PDF alone can ask whether it was issued here. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create index credentials_by_file on credentials (file_sha256)
      where file_sha256 is not null and status in ('available', 'invalidated');
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("drop index credentials_by_file");
}
