/**
 * A job is updated once, when it is taken, and deleted when it is done.
 *
 * No index contains a column that this update changes, and half of each page is left free, so that the update writes no
 * index.
 */
export const jobs = `
  create table jobs (
    id bigint generated always as identity primary key,
    task text not null,
    payload json not null,
    -- Smaller numbers run first.
    priority smallint not null,
    run_at timestamptz not null default now(),
    -- Runs that have begun. A run that no longer has the latest number has lost the job to another one.
    runs integer not null default 0,
    -- Runs that count: an outage costs none.
    attempts smallint not null default 0,
    max_attempts smallint not null,
    -- Until when the latest run has the job; null: it waits.
    leased_until timestamptz,
    last_error text,
    created_at timestamptz not null default now()
  ) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);
  create index jobs_by_turn on jobs (priority, run_at);
  create trigger announced after insert on jobs for each statement execute function announce_jobs();
`;
