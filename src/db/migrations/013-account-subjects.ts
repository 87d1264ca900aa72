import type { Knex } from "knex";

/**
 * Creates the table of usernames and their subjects: the `sub` with which an identity provider's tokens first
 * named each. A provider may give a former user's name to somebody else, but never the `sub`.
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
