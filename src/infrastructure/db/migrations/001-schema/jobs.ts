/**
 * Usually, a job is updated once, when it is taken, and deleted when it is done.
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
    -- Number of runs that were started, which is also the number of the latest run. A run with a lower number has
    -- lost the job to a later one.
    runs integer not null default 0,
    -- Number of runs that count as attempts. A run that ended because of an outage doesn't count.
    attempts smallint not null default 0,
    max_attempts smallint not null,
    -- When the latest run's lease expires; null if the job is waiting.
    leased_until timestamptz,
    last_error text,
    created_at timestamptz not null default now()
  ) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);
  create index jobs_by_turn on jobs (priority, run_at);
  create trigger announced after insert on jobs for each statement execute function announce_jobs();
`;
