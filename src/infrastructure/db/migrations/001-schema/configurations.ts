/** Credential types, the contexts that offer them, and the schedules on which they are issued. */
export const configurations = `
  create table credential_types (
    id integer generated always as identity primary key,
    name text not null unique check (length(name) between 1 and 255),
    retrieval_func text not null,
    generation_func text not null,
    custom_options jsonb not null check (jsonb_typeof(custom_options) = 'object')
  );

  create table credential_configurations (
    id integer generated always as identity primary key,
    learning_context_key text collate "C" not null check (length(learning_context_key) <= 255),
    credential_type_id integer not null references credential_types on delete restrict,
    custom_options jsonb not null check (jsonb_typeof(custom_options) = 'object'),
    unique (learning_context_key, credential_type_id)
  );
  create index credential_configurations_by_type on credential_configurations (credential_type_id);

  -- Saved states of credential types and configurations. Each change adds a row.
  create table revisions (
    credential_type_id integer references credential_types on delete cascade,
    configuration_id integer references credential_configurations on delete cascade,
    number integer not null check (number > 0),
    saved_at timestamptz not null default now(),
    saved_by_kind text not null check (saved_by_kind in ('user', 'service', 'system')),
    saved_by text not null,
    -- The name and both functions are null in revisions of configurations, because only credential types have them.
    name text,
    retrieval_func text,
    generation_func text,
    custom_options jsonb not null check (jsonb_typeof(custom_options) = 'object'),
    check (num_nonnulls(credential_type_id, configuration_id) = 1),
    unique (credential_type_id, number),
    unique (configuration_id, number)
  );

  -- A run is started and next_run_at is advanced in the same transaction, so that each run starts exactly once.
  create table credential_schedules (
    configuration_id integer primary key references credential_configurations on delete cascade,
    is_enabled boolean not null,
    -- Days between two runs, or a cron expression with five fields. If both are null, there is a single run, at
    -- starts_at.
    interval_days integer check (interval_days > 0),
    cron text,
    -- IANA name; empty for the time zone of the service.
    time_zone text not null,
    starts_at timestamptz,
    ends_at timestamptz check (ends_at > starts_at),
    -- Start of the first interval.
    counted_from timestamptz not null,
    -- Null if the schedule is disabled or has ended.
    next_run_at timestamptz,
    last_error text not null default '',
    -- The actor who last set the schedule or changed who is eligible, and who is therefore responsible for the
    -- credentials that it issues. Null if that happened before the service recorded the actor.
    set_by_kind text check (set_by_kind in ('user', 'service', 'system')),
    set_by text,

    check (num_nonnulls(interval_days, cron) <= 1),
    check (num_nonnulls(interval_days, cron, starts_at) > 0),
    check (is_enabled or next_run_at is null)
  );
  create index credential_schedules_due on credential_schedules (next_run_at) where next_run_at is not null;
`;
