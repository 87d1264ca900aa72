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
    -- The invalidated or renewed credential that this one replaces; null if there is none.
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
    -- Print settings at the time of issuing: date format, time zone, language and others.
    print_settings jsonb not null check (jsonb_typeof(print_settings) = 'object'),
    created_at timestamptz not null check (created_at = date_trunc('second', created_at)),

    -- Number of the attempt that may write the file. A worker with a lower number has lost the job.
    attempt integer not null default 0,
    file_key text,
    file_sha256 bytea check (length(file_sha256) = 32),
    file_size integer check (file_size > 0),
    -- Links in emails contain this number. Increasing it revokes all links sent so far.
    link_version integer not null default 1 check (link_version > 0),
    error_reason text not null default '',
    invalidation_reason text not null default '' check (length(invalidation_reason) <= 255),
    invalidated_at timestamptz,
    invalidated_by text,
    -- Destination of the file after invalidation. It is set before the file is moved. The move is complete once
    -- file_key has the same value.
    invalidated_file_key text,
    -- The run that last issued or retried the credential; null if no run did. No foreign key, because runs are never
    -- deleted, and checking 100,000 rows takes a second.
    run_id uuid,
    -- When the learner was erased. The credential is kept without name and file, and can still be verified.
    erased_at timestamptz,
    -- Identifier in the system from which the credential was imported; empty if it was issued here.
    legacy_id text not null default '' check (length(legacy_id) <= 255),
    -- 244 random bits in 32 bytes, from which the salts of commitments are derived. Erasing the learner replaces the
    -- seed.
    commitment_seed bytea not null default uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()),
    -- When the credential was imported from another system; null if it was issued here.
    imported_at timestamptz,
    -- Issuer in the system from which the credential was imported; empty if that system did not report one. Null if
    -- the credential was issued here.
    original_issuer text check (length(original_issuer) <= 255),
    -- Name of the platform when the credential was issued or imported. A trigger copies it from print_settings.
    platform text,
    -- When the first credential in the chain of reissued credentials was issued, or the award date from the list with
    -- which the credential was issued. If null, created_at applies.
    awarded_at timestamptz,
    -- Facts that the document prints in addition to names and dates; null if there are none.
    particulars jsonb check (jsonb_typeof(particulars) = 'object'),
    -- Fragment of the DID URL of the key that signed the badge in the file; null if the file contains no badge.
    badge_key text collate "C" check (length(badge_key) between 1 and 100),
    -- Version of the format in which the badge was composed, so that the badge can be generated again byte for byte.
    -- Null for version 1, or if the file contains no badge.
    badge_version smallint,
    -- The first moment after the last valid day; null if the credential never expires.
    valid_until timestamptz,
    -- When the credential was renewed by another one; null if it was not.
    renewed_at timestamptz,
    -- When the event about the expiry was appended, which may be later than valid_until. Null until then.
    expiry_noted_at timestamptz,
    -- The results with which the learner earned the credential: grades, completion, steps of a path, and required
    -- credentials. Null if nothing was required, if the credential was imported, or if the learner was erased.
    results jsonb check (jsonb_typeof(results) = 'object'),
    -- Search words of the printed name and of the learner's record. If the name is corrected later, its words are
    -- added.
    search_words tsvector not null default '',
    -- When to check next whether an expiry notice is due. Each check sets the time of the next one. Null if no notice
    -- will be due.
    notice_due_at timestamptz default now(),
    -- The learner's email address as the badge contains it: a salt, and the SHA-256 of the lower-case address
    -- followed by the salt, both in hexadecimal. Null if the credential type did not request it, if the learner had
    -- no address, or if the learner was erased.
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
    -- The table has many rows. By default, vacuuming would wait until a fifth of them has changed, and updating the
    -- statistics until a tenth has.
    autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02,
    autovacuum_vacuum_insert_scale_factor = 0.02
  );
  -- Even with concurrent transactions, a learner has at most one credential per configuration that is neither
  -- invalidated nor renewed.
  create unique index credentials_one_active on credentials (username, configuration_id)
    where status <> 'invalidated' and renewed_at is null;
  -- Even with concurrent transactions, at most one credential replaces another one.
  create unique index credentials_one_successor on credentials (replaces) where replaces is not null;

  create index credentials_by_learner on credentials (username, id);
  create index credentials_by_context on credentials (learning_context_key, id);
  create index credentials_by_configuration on credentials (configuration_id, id);
  create index credentials_by_time on credentials (created_at);
  create index credentials_by_issuer on credentials (issued_by, id);
  create index credentials_by_run on credentials (run_id, status) where run_id is not null;
  -- Finds the credential of an uploaded PDF by the hash of the file.
  create index credentials_by_file on credentials (file_sha256)
    where file_sha256 is not null and status in ('available', 'invalidated');
  create index credentials_by_words on credentials using gin (search_words) with (gin_pending_list_limit = 512);

  -- These indexes find the few credentials that are not available. Only the first index includes generating
  -- credentials. There are never many of them, and fewer index entries make issuing faster.
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
