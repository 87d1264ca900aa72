import type { Knex } from "knex";

/** Lets organisations sign badges with keys of their own. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- The org of context keys. null: the key is the service's own.
    alter table issuer_keys
      add column organisation text collate "C" check (length(organisation) between 1 and 100)
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("alter table issuer_keys drop column organisation");
}
