/**
 * A row contains a copy of everything that the credential states, so that later changes of records and types don't
 * affect it.
 *
 * UUIDs begin with their time, so that new ones are next to each other in the index. Verification UUIDs are random,
 * because they must not reveal how many were issued when.
 */
export const credentials = `
  create table credentials (
    id bigint generated always as identity primary key,
    uuid uuid not null default time_ordered_uuid() unique,
    verify_uuid uuid not null default gen_random_uuid() unique,
    username text collate "C" not null check (length(username) between 1 and 255),
    configuration_id integer not null references credential_configurations on delete restrict,
    status text not null check (status in ('generating', 'available', 'error', 'invalidated')),
    issued_by text not null,
    -- The invalidated credential that this one replaces.
    replaces uuid references credentials (uuid) check (replaces <> uuid),

    -- The content, fixed when the credential is issued.
    user_full_name text not null
      constraint credentials_has_name check (user_full_name ~ '[^[:space:]]' or erased_at is not null),
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
    -- The run that last issued or retried it. No foreign key: runs are never deleted, and 100,000 checks take
    -- a second.
    run_id uuid,
    -- The credentials of an erased learner stay without name and file, and can still be verified.
    erased_at timestamptz,
    -- The credential's name in the system that issued it.
    legacy_id text not null default '' check (length(legacy_id) <= 255),
    -- 244 random bits in 32 bytes, from which the salt of commitments is made. Erasing replaces it.
    commitment_seed bytea not null default uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()),
    -- null: it was issued here.
    imported_at timestamptz,
    -- The name as printed. Empty if the other system did not give it.
    original_issuer text check (length(original_issuer) <= 255),
    -- The name of the platform when it was issued or imported. A trigger copies it from print_settings.
    platform text,
    -- When the first of a series of reissued credentials was issued. null: this is the first.
    awarded_at timestamptz,
    -- The texts of the learner's record that it prints.
    particulars jsonb check (jsonb_typeof(particulars) = 'object'),
    -- The fragment of the DID URL of the key that signed the badge in the file. null: it contains no badge.
    badge_key text collate "C" check (length(badge_key) between 1 and 100),
    -- How the badge in the file was composed, so that it can be made again byte for byte. null: no badge, or version 1.
    badge_version smallint,
    -- The moment after its last day. null: it is valid forever.
    valid_until timestamptz,
    -- When its successor was issued.
    renewed_at timestamptz,
    -- When the event of its expiry was written.
    expiry_noted_at timestamptz,
    -- Grades, completion and steps at the time of issuing.
    results jsonb check (jsonb_typeof(results) = 'object'),
    -- Of the printed name and of its learner's record. A name that is corrected later is added.
    search_words tsvector not null default '',
    -- When its notices of expiry are looked at next; each look sets the next time.
    notice_due_at timestamptz default now(),
    -- The learner's address as a badge states it: a salt, and the SHA-256 of the lower-case address followed
    -- by the salt, in hexadecimal. null: the type did not ask for it.
    address_hash text check (address_hash ~ '^[0-9a-f]{32}:[0-9a-f]{64}$'),

    check (num_nulls(file_key, file_sha256, file_size) in (0, 3)),
    constraint credentials_has_file check (status <> 'available' or file_key is not null or erased_at is not null),
    check (status not in ('generating', 'error') or file_key is null),
    check ((status = 'error') = (error_reason <> '')),
    check ((status = 'invalidated') = (invalidation_reason <> '')),
    check ((status = 'invalidated') = (invalidated_at is not null)),
    check ((status = 'invalidated') = (invalidated_by is not null)),
    check (invalidated_file_key is null or (status = 'invalidated' and file_key is not null)),
    constraint credentials_erased check (
      erased_at is null
      or (status <> 'generating' and user_full_name = '' and file_key is null and legacy_id = '')
    )
  ) with (
    -- Vacuum and statistics don't wait for a fifth of so many rows to change.
    autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02,
    autovacuum_vacuum_insert_scale_factor = 0.02
  );
  -- Guards against races: a learner has one credential per configuration that is neither invalidated nor
  -- renewed.
  create unique index credentials_one_active on credentials (username, configuration_id)
    where status <> 'invalidated' and renewed_at is null;
  -- Guards against races: a credential has one successor.
  create unique index credentials_one_successor on credentials (replaces) where replaces is not null;

  create index credentials_by_learner on credentials (username, id);
  create index credentials_by_context on credentials (learning_context_key, id);
  create index credentials_by_configuration on credentials (configuration_id, id);
  create index credentials_by_time on credentials (created_at);
  create index credentials_by_issuer on credentials (issued_by, id);
  create index credentials_by_run on credentials (run_id, status) where run_id is not null;
  -- The PDF alone is enough to ask whether it was issued here.
  create index credentials_by_file on credentials (file_sha256)
    where file_sha256 is not null and status in ('available', 'invalidated');
  create index credentials_by_words on credentials using gin (search_words) with (gin_pending_list_limit = 512);

  -- The few failed, invalidated or generating credentials among the many available ones. Only the first
  -- includes generating ones: there are never many, and issuing stays fast.
  create index credentials_by_status on credentials (status, id) where status <> 'available';
  create index credentials_by_context_and_status on credentials (learning_context_key, status, id)
    where status in ('error', 'invalidated');
  create index credentials_by_configuration_and_status on credentials (configuration_id, status, id)
    where status in ('error', 'invalidated');

  create index credentials_by_validity on credentials (valid_until, id) where valid_until is not null;
  create index credentials_to_expire on credentials (valid_until)
    where status = 'available' and valid_until is not null and expiry_noted_at is null;
  create index credentials_to_notify on credentials (notice_due_at)
    where status = 'available' and valid_until is not null and notice_due_at is not null;

  create trigger platform before insert or update of print_settings on credentials
    for each row execute function name_platform();
`;
