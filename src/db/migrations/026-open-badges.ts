import { randomBytes } from "node:crypto";
import type { Knex } from "knex";

/** Creates what Open Badges need beside the rows of credentials. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Secret from which positions in status lists are derived, and opaque ids of holders and achievements. It
    -- must never change: bits of issued badges would move.
    create table badge_secret (
      is_only boolean primary key default true check (is_only),
      secret bytea not null check (length(secret) = 32)
    );

    -- Every public key that has ever signed; all of them stay published.
    create table issuer_keys (
      -- The fragment of its DID URL.
      fragment text collate "C" primary key check (length(fragment) between 1 and 100),
      jwk jsonb not null,
      published_at timestamptz not null default now()
    );
  `);
  await knex("badge_secret").insert({ secret: randomBytes(32) });
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("drop table badge_secret, issuer_keys");
}
