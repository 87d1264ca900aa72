import { randomBytes } from "node:crypto";
import type { Knex } from "knex";

/**
 * Learners who were erased, and credentials that were issued elsewhere.
 *
 * An erased learner's credentials stay, without name and file, so that their verification goes on answering. That he was
 * erased stays, too, so that older records do not bring him back: as a hash of his username under a key of this database.
 * Who reads only a copy of the table can't try usernames on it; who has all of the database can, for a name he knows.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table credentials
      add column erased_at timestamptz,
      -- How the system that it was taken over from names it.
      add column legacy_id text not null default '' check (length(legacy_id) <= 255),
      drop constraint credentials_user_full_name_check,
      drop constraint credentials_check2,
      add constraint credentials_has_name check (user_full_name ~ '[^[:space:]]' or erased_at is not null),
      add constraint credentials_has_file check (status <> 'available' or file_key is not null or erased_at is not null),
      add constraint credentials_erased check (
        erased_at is null
        or (status <> 'generating' and user_full_name = '' and file_key is null and legacy_id = '')
      );

    create table erasure_key (
      is_only boolean primary key default true check (is_only),
      key bytea not null check (length(key) = 32)
    );

    create table erased_learners (
      -- SHA-256 over the key and the username.
      username_hash bytea primary key check (length(username_hash) = 32),
      erased_at timestamptz not null
    );
  `);
  await knex("erasure_key").insert({ key: randomBytes(32) });
}

/** Credentials of erased learners go, too: without `erased_at` they can't be told from damaged ones. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    update credentials set replaces = null
    where replaces in (select uuid from credentials where erased_at is not null);
    delete from credentials where erased_at is not null;

    alter table credentials
      drop constraint credentials_has_name,
      drop constraint credentials_has_file,
      drop constraint credentials_erased,
      drop column erased_at,
      drop column legacy_id,
      add constraint credentials_user_full_name_check check (user_full_name ~ '[^[:space:]]'),
      add constraint credentials_check2 check (status <> 'available' or file_key is not null);

    drop table erased_learners, erasure_key;
  `);
}
