import type { Knex } from "knex";

/**
 * Creates the table of issued credentials. A row holds a copy of all that the credential says. So later
 * changes of records and types don't affect it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table credentials (
      id bigint generated always as identity primary key,
      uuid uuid not null default gen_random_uuid() unique,
      verify_uuid uuid not null default gen_random_uuid() unique,
      username text collate "C" not null check (length(username) between 1 and 255),
      configuration_id integer not null references credential_configurations on delete restrict,
      status text not null check (status in ('generating', 'available', 'error', 'invalidated')),
      issued_by text not null,
      -- The invalidated credential that this one replaces.
      replaces uuid references credentials (uuid) check (replaces <> uuid),

      -- The content, fixed when the credential is issued.
      user_full_name text not null check (user_full_name ~ '[^[:space:]]'),
      learning_context_key text collate "C" not null,
      learning_context_name text not null,
      credential_type text not null,
      generation_func text not null,
      options jsonb not null,
      -- The assets that the options name: slug -> SHA-256 in hexadecimal.
      assets jsonb not null check (jsonb_typeof(assets) = 'object'),
      -- The print settings of that day: date format, time zone, language and others.
      print_settings jsonb not null check (jsonb_typeof(print_settings) = 'object'),
      created_at timestamptz not null check (created_at = date_trunc('second', created_at)),

      -- The attempt that may write the file. A worker with an older attempt has lost the job.
      attempt integer not null default 0,
      file_key text,
      file_sha256 bytea check (length(file_sha256) = 32),
      file_size integer check (file_size > 0),
      -- Links in mails contain this number: changing it revokes the links sent so far.
      link_version integer not null default 1 check (link_version > 0),
      error_reason text not null default '',
      invalidation_reason text not null default '' check (length(invalidation_reason) <= 255),
      invalidated_at timestamptz,
      invalidated_by text,
      -- Destination of the file after invalidation, set before the move. The move is complete once file_key
      -- equals it.
      invalidated_file_key text,

      check (num_nulls(file_key, file_sha256, file_size) in (0, 3)),
      check (status <> 'available' or file_key is not null),
      check (status not in ('generating', 'error') or file_key is null),
      check ((status = 'error') = (error_reason <> '')),
      check ((status = 'invalidated') = (invalidation_reason <> '')),
      check ((status = 'invalidated') = (invalidated_at is not null)),
      check ((status = 'invalidated') = (invalidated_by is not null)),
      check (invalidated_file_key is null or (status = 'invalidated' and file_key is not null))
    );
    -- Guards against races: a learner has one credential per configuration that is not invalidated.
    create unique index credentials_one_in_force on credentials (username, configuration_id) where status <> 'invalidated';
    -- Guards against races: a credential has one successor.
    create unique index credentials_one_successor on credentials (replaces) where replaces is not null;
    create index credentials_by_learner on credentials (username, id);
    create index credentials_by_context on credentials (learning_context_key, id);
    create index credentials_by_configuration on credentials (configuration_id, id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("drop table credentials");
}
