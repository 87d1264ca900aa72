import { randomBytes } from "node:crypto";
import type { Knex } from "knex";

/** What Open Badges are made with, beside the rows of credentials themselves. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Gives credentials their places in status lists, and their holders and achievements names that tell nothing. It must never
    -- change: bits of credentials that are out would move.
    create table badge_secret (
      is_only boolean primary key default true check (is_only),
      secret bytea not null check (length(secret) = 32)
    );

    -- Every public key that ever signed: one that is not published any more has never signed anything.
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
