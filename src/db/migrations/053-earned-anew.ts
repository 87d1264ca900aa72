import type { Knex } from "knex";

/** Counts learners whose renewal takes new results. A version without this column reports them as having a credential. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table issuance_runs
      add column if not exists not_earned_anew_count integer not null default 0 check (not_earned_anew_count >= 0)
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("alter table issuance_runs drop column if exists not_earned_anew_count");
}
