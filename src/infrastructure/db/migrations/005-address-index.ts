import type { Knex } from "knex";

/**
 * The earlier index followed the language of the database: in a Turkish one, the small form of I has no dot. The expression
 * is that of `lowerCaseSql`.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create index learners_by_address on learners ((lower(translate(email, 'Iİ', 'ii')) collate "C")) where email <> '';
    drop index learners_by_email;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    create index learners_by_email on learners ((lower(email) collate "C")) where email <> '';
    drop index learners_by_address;
  `);
}
