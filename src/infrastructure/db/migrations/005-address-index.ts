import type { Knex } from "knex";

/**
 * The earlier index used the locale of the database; a Turkish one converts I to ı, without a dot. The new expression
 * must be the same as in `lowerCaseSql`.
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
