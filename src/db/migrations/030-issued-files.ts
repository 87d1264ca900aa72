import type { Knex } from "knex";

/** Finds a credential by its file's SHA-256. So the PDF alone is enough to ask whether it was issued here. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create index credentials_by_file on credentials (file_sha256)
      where file_sha256 is not null and status in ('available', 'invalidated');
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("drop index credentials_by_file");
}
