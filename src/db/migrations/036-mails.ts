import type { Knex } from "knex";

/**
 * Adds the state of the mail about each credential. It has no address and no answer of a mail server, which may
 * name one: where a mail went is known to the learner's record alone.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table credential_mails (
      id bigint generated always as identity primary key,
      credential_uuid uuid not null unique references credentials (uuid) on delete cascade,
      -- no_address: there was nowhere to send it. dropped: the credential was invalidated or erased before.
      state text not null check (state in ('waiting', 'sent', 'refused', 'no_address', 'dropped')),
      queued_at timestamptz(3) not null default now(),
      changed_at timestamptz(3) not null default now(),
      -- How often it was sent again, and since when that is counted against the limit of a day.
      resend_count integer not null default 0 check (resend_count >= 0),
      day_count integer not null default 0 check (day_count >= 0),
      day_began_at timestamptz
    );
    create index credential_mails_by_state on credential_mails (state, id);

    insert into credential_mails (credential_uuid, state, queued_at, changed_at)
    select uuid, 'sent', emailed_at, emailed_at from credentials where emailed_at is not null order by id;
    insert into credential_mails (credential_uuid, state, queued_at, changed_at)
    select distinct on (uuid) uuid, 'refused', occurred_at, occurred_at
    from credential_events join credentials on uuid = credential_uuid
    where type = 'email_refused'
    order by uuid, position desc
    on conflict do nothing;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("drop table credential_mails");
}
