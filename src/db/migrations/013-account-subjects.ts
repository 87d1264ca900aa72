import type { Knex } from "knex";

/**
 * To whom a username belongs: the `sub` with which an identity provider's tokens first named it. Providers give a name to
 * somebody else when its bearer has left; they never give a `sub` to somebody else.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table account_subjects (
      username text collate "C" not null check (length(username) between 1 and 255),
      issuer text collate "C" not null check (length(issuer) between 1 and 255),
      subject text collate "C" not null check (length(subject) between 1 and 255),
      first_seen_at timestamptz(3) not null default now(),
      primary key (username, issuer)
    )
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("drop table account_subjects");
}
