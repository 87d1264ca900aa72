import type { Knex } from "knex";

/**
 * Notes who has set a schedule: what it issues comes from them. null: it was set before, or by a version that does not
 * know these columns.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table credential_schedules
      add column if not exists set_by_kind text check (set_by_kind in ('user', 'service', 'system')),
      add column if not exists set_by text
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(
    "alter table credential_schedules drop column if exists set_by_kind, drop column if exists set_by",
  );
}
