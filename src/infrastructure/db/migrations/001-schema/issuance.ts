/**
 * Runs, which issue to all eligible learners, or to those of a list. While a run is running, its progress is counted
 * from its credentials. When the run ends, its report is stored and never changes. The report contains no names,
 * because names can be erased.
 */
export const issuance = `
  create table issuance_runs (
    id uuid primary key default gen_random_uuid(),
    -- The order in which runs were started.
    number bigint generated always as identity unique,
    -- No foreign key, because a configuration without credentials can be deleted. Its runs, which issued nothing, are
    -- kept.
    configuration_id integer not null,
    state text not null check (state in ('running', 'complete', 'cancelled')),
    started_by text not null,
    started_at timestamptz not null default now(),
    ended_at timestamptz,
    plan_hash text not null,
    issued_count integer not null check (issued_count >= 0),
    has_credential_count integer not null check (has_credential_count >= 0),
    withdrawn_count integer not null check (withdrawn_count >= 0),
    no_full_name_count integer not null check (no_full_name_count >= 0),
    unprintable_name_count integer not null check (unprintable_name_count >= 0),
    -- The report, which is stored when the run ends. Null until then.
    available_count integer check (available_count >= 0),
    failed_count integer check (failed_count >= 0),
    -- Number of learners in the list; 0 if the run was for all eligible learners.
    listed_count integer not null default 0 check (listed_count >= 0),
    skips_eligibility boolean not null default false,
    unknown_learner_count integer not null default 0 check (unknown_learner_count >= 0),
    not_eligible_count integer not null default 0 check (not_eligible_count >= 0),
    invalid_count integer not null default 0 check (invalid_count >= 0),
    -- Number of learners whose credential is due for renewal, but who have not yet achieved the new results that it
    -- requires.
    not_earned_anew_count integer not null default 0 check (not_earned_anew_count >= 0),
    check ((state = 'running') = (ended_at is null)),
    check (num_nulls(ended_at, available_count, failed_count) in (0, 3)),
    check (available_count + failed_count = issued_count)
  );
  create index issuance_runs_by_configuration on issuance_runs (configuration_id, number);
  create index issuance_runs_by_state on issuance_runs (state, number);
  create index issuance_runs_running on issuance_runs (number) where state = 'running';

  -- The first of the credentials that had failed when the run ended.
  create table issuance_run_failures (
    run_id uuid not null references issuance_runs on delete cascade,
    credential_uuid uuid not null,
    reason text not null,
    primary key (run_id, credential_uuid)
  );
  create index issuance_run_failures_by_credential on issuance_run_failures (credential_uuid);
`;
