import type { Knex } from "knex";

/**
 * Creates the tables of runs, which issue to all eligible learners at once. Progress is counted from a
 * running run's credentials. When it ends, its report is stored and never changes. The report contains no
 * names, since these can be erased.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table issuance_runs (
      id uuid primary key default gen_random_uuid(),
      -- The order in which runs were started.
      number bigint generated always as identity unique,
      -- No foreign key: a configuration without credentials can be deleted, and its runs, which issued
      -- nothing, stay.
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
      -- The report, stored when the run ends.
      available_count integer check (available_count >= 0),
      failed_count integer check (failed_count >= 0),
      check ((state = 'running') = (ended_at is null)),
      check (num_nulls(ended_at, available_count, failed_count) in (0, 3)),
      check (available_count + failed_count = issued_count)
    );
    create index issuance_runs_by_configuration on issuance_runs (configuration_id, number);
    create index issuance_runs_running on issuance_runs (number) where state = 'running';

    -- The first credentials that had failed at the end of a run.
    create table issuance_run_failures (
      run_id uuid not null references issuance_runs on delete cascade,
      credential_uuid uuid not null,
      reason text not null,
      primary key (run_id, credential_uuid)
    );
    create index issuance_run_failures_by_credential on issuance_run_failures (credential_uuid);

    -- The run that last issued or retried it. No foreign key: runs are never deleted, and 100,000 checks take
    -- a second.
    alter table credentials add column run_id uuid;
    create index credentials_by_run on credentials (run_id, status) where run_id is not null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table credentials drop column run_id;
    drop table issuance_run_failures, issuance_runs;
  `);
}
