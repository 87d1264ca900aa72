import type { Knex } from "knex";

/**
 * Adds expiry, renewal and the results that a credential was earned with. The end of validity is fixed when a
 * credential is issued, and one of the facts that events vouch for. Whether it has expired follows from the
 * clock, and is not stored. A renewed credential stays unchanged beside its successor: only its place in the
 * unique index becomes free.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table credentials
      -- The moment after its last day. null: it is valid forever.
      add column valid_until timestamptz,
      -- When its successor was issued.
      add column renewed_at timestamptz,
      -- When the event of its expiry was written.
      add column expiry_noted_at timestamptz,
      -- Grades, completion and steps at the time of issuing.
      add column results jsonb check (jsonb_typeof(results) = 'object');

    create unique index credentials_one_active on credentials (username, configuration_id)
      where status <> 'invalidated' and renewed_at is null;
    create index credentials_by_validity on credentials (valid_until, id) where valid_until is not null;
    create index credentials_to_expire on credentials (valid_until)
      where status = 'available' and valid_until is not null and expiry_noted_at is null;

    -- Older versions of the service rely on the index credentials_one_in_force, which allows no successor.
    -- The first renewal drops it; from then on, older versions must not run.
    create function permit_renewals() returns void language plpgsql security definer as $$
    begin
      drop index if exists credentials_one_in_force;
    end $$;
    revoke execute on function permit_renewals from public;
    do $$ begin
      execute format('alter function permit_renewals() set search_path = %I, pg_temp', current_schema());
    end $$;

    -- The notices of expiry that were queued. Each is sent once, even after a crash.
    create table expiry_notices (
      credential_uuid uuid not null references credentials (uuid) on delete cascade,
      -- Days before the end of validity.
      days integer not null check (days > 0),
      noted_at timestamptz not null default now(),
      sent_at timestamptz,
      primary key (credential_uuid, days)
    );

    alter table unsealed_credential_events drop constraint unsealed_credential_events_type_check;
    alter table unsealed_credential_events add constraint unsealed_credential_events_type_check check (type in (
      'issued', 'available', 'failed', 'invalidated', 'reissued', 'emailed', 'email_refused', 'erased', 'imported',
      'links_revoked', 'expired', 'renewed'
    ));
  `);
  await createFacts(
    knex,
    `,
        'valid_until: ' || to_char(credential.valid_until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
        'results: ' || cast(credential.results as text)`,
  );
}

/** Keeps the successor of each renewed credential, and invalidates the renewed one. */
export async function down(knex: Knex): Promise<void> {
  await createFacts(knex, "");
  await knex.raw(`
    lock table credentials, unsealed_credential_events in access exclusive mode;
    with withdrawn as (
      update credentials set status = 'invalidated', invalidation_reason = 'Renewed.', invalidated_at = now(),
        invalidated_by = 'command line'
      where renewed_at is not null and status = 'available'
      returning uuid, configuration_id
    )
    insert into unsealed_credential_events
      (type, credential_uuid, configuration_id, actor_id, status_before, status_after, occurred_at)
    select 'invalidated', uuid, configuration_id, credential_event_actor('command line', 'system'), 'available', 'invalidated', now()
    from withdrawn;
  `);
  for (let sealed = 1; sealed > 0; ) {
    const { rows } = await knex.raw("select seal_credential_events(10000) as sealed");
    sealed = rows[0].sealed;
  }
  await knex.raw(`
    drop index credentials_one_active;
    create unique index if not exists credentials_one_in_force on credentials (username, configuration_id)
      where status <> 'invalidated';
    drop function permit_renewals;
    drop table expiry_notices;
    alter table unsealed_credential_events drop constraint unsealed_credential_events_type_check;
    alter table unsealed_credential_events add constraint unsealed_credential_events_type_check check (type in (
      'issued', 'available', 'failed', 'invalidated', 'reissued', 'emailed', 'email_refused', 'erased', 'imported',
      'links_revoked'
    ));
    alter table credentials drop column valid_until, drop column renewed_at, drop column expiry_noted_at, drop column results;
  `);
}

/** The function of 021-particulars.ts with two more lines. */
async function createFacts(knex: Knex, more: string): Promise<void> {
  await knex.raw(`
    create or replace function credential_facts(credential credentials) returns text language sql stable as $$
      select concat_ws(E'\\n',
        'verify_uuid: ' || credential.verify_uuid,
        'holder: ' || encode(sha256(credential.commitment_seed || convert_to(credential.username, 'UTF8')), 'hex'),
        'name: ' || to_json(nullif(credential.user_full_name, '')),
        'context_key: ' || to_json(credential.learning_context_key),
        'context_name: ' || to_json(credential.learning_context_name),
        'type: ' || to_json(credential.credential_type),
        'created: ' || to_char(credential.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
        'status: ' || credential.status,
        'reason: ' || to_json(nullif(credential.invalidation_reason, '')),
        'invalidated: ' || to_char(credential.invalidated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
        'file_sha256: ' || encode(credential.file_sha256, 'hex'),
        'original_issuer: ' || to_json(credential.original_issuer),
        'platform: ' || to_json(credential.platform),
        'awarded: ' || to_char(credential.awarded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
        'particulars: ' || cast(credential.particulars as text)${more}
      )
    $$;
  `);
}
