import type { Knex } from "knex";

/** Lets keys be revoked, and records which key signed the badge in a credential's file. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table issuer_keys
      add column revoked_at timestamptz,
      add column revocation_reason text check (length(revocation_reason) between 1 and 500),
      add check ((revoked_at is null) = (revocation_reason is null));
    -- The fragment of the key's DID URL. null: the file contains no badge.
    alter table credentials
      add column badge_key text collate "C" check (length(badge_key) between 1 and 100);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table credentials drop column badge_key;
    alter table issuer_keys drop column revocation_reason, drop column revoked_at;
  `);
}
