import type { Knex } from "knex";

/**
 * Adds when a credential's notices of expiry are to be looked at next, so that a round reads only those that are due. A new
 * credential is due at once; each look sets the next time.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table credentials add column notice_due_at timestamptz default now();
    create index credentials_to_notify on credentials (notice_due_at)
      where status = 'available' and valid_until is not null and notice_due_at is not null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("alter table credentials drop column notice_due_at");
}
