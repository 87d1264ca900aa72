import type { Knex } from "knex";

/**
 * Creates the tables of console sessions, and of links that start one. They hold only the SHA-256 of tokens
 * and secrets: reading them lets nobody in.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table console_sessions (
      token_hash bytea primary key check (length(token_hash) = 32),
      username text not null,
      -- As the identity provider named the account; null if a link was used.
      issuer text,
      subject text,
      roles text[] not null,
      -- null: not bounded to organisations
      organisations text[],
      created_at timestamptz not null default now(),
      seen_at timestamptz not null default now(),
      expires_at timestamptz not null
    );
    create index console_sessions_by_username on console_sessions (username);
    create index console_sessions_by_expiry on console_sessions (expires_at);
    -- A link that was used is deleted.
    create table console_links (
      secret_hash bytea primary key check (length(secret_hash) = 32),
      username text not null,
      roles text[] not null,
      organisations text[],
      expires_at timestamptz not null
    );
    create index console_links_by_username on console_links (username);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("drop table console_links, console_sessions");
}
