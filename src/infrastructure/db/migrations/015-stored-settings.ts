import type { Knex } from "knex";

/** Settings that administrators save in the console, with encrypted secrets. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table stored_settings (
      kind text not null check (kind ~ '^[a-z][a-z0-9_]{0,39}$'),
      name text not null check (length(name) between 1 and 255),
      options jsonb not null check (jsonb_typeof(options) = 'object'),
      -- For each secret, by its name: the encrypted value in Base64, and when it was set.
      secrets jsonb not null default '{}' check (jsonb_typeof(secrets) = 'object'),
      etag uuid not null default gen_random_uuid(),
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (kind, name)
    )`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("drop table stored_settings");
}
