import type { Knex } from "knex";

/** Credentials and runs without emails to the learners. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table credentials add column skips_email boolean not null default false;
    alter table issuance_runs add column skips_email boolean not null default false;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table issuance_runs drop column skips_email;
    alter table credentials drop column skips_email;
  `);
}
