import type { Knex } from "knex";

/** Learners can claim credentials if a configuration allows it, and runs may leave credentials to be claimed. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table credential_configurations
      add column claim text not null default 'never' check (claim in ('never', 'allowed', 'required'));
    -- Null in revisions of credential types.
    alter table revisions add column claim text check (claim in ('never', 'allowed', 'required'));
    update revisions set claim = 'never' where configuration_id is not null;
    alter table issuance_runs
      add column not_claimed_count integer not null default 0 check (not_claimed_count >= 0);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table credential_configurations drop column claim;
    alter table revisions drop column claim;
    alter table issuance_runs drop column not_claimed_count;
  `);
}
