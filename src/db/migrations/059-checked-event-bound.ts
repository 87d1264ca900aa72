import type { Knex } from "knex";

/** Reads all events, which only other changes of the table wait for. Migration 060 then needs no look at them. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw("alter table credential_events validate constraint credential_events_bound");
}

export async function down(): Promise<void> {}
