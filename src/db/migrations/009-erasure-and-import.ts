import { randomBytes } from "node:crypto";
import type { Knex } from "knex";

/**
 * Adds erased learners, and credentials that were issued elsewhere.
 *
 * An erased learner's credentials stay without name and file, and can still be verified. The erasure itself
 * is recorded, too, so that older records don't bring the learner back. It is recorded as a hash of the
 * username, under a key of this database. A copy of this table alone does not reveal usernames. The whole
 * database allows testing a known name.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table credentials
      add column erased_at timestamptz,
      -- The credential's name in the system that issued it.
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

/** Deletes credentials of erased learners, too: without `erased_at` they look like damaged ones. */
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
