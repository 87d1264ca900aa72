import type { Knex } from "knex";

/**
 * Creates the queue of jobs. Jobs that wait in the tables of graphile-worker, which made the queue before, are
 * moved to it.
 *
 * A job is updated once, when it is taken, and deleted when it is done. No index has a column that this update
 * changes, and half of each page is left free for it. So it writes no index.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
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

    create function announce_jobs() returns trigger language plpgsql as $$
    begin
      perform pg_notify('jobs', '');
      return null;
    end $$;
    create trigger announced after insert on jobs for each statement execute function announce_jobs();

    do $$
    begin
      if to_regclass('graphile_worker._private_jobs') is not null then
        insert into jobs (task, payload, priority, run_at, attempts, max_attempts, last_error, created_at)
        select task.identifier, job.payload, job.priority, job.run_at, job.attempts, job.max_attempts,
          job.last_error, job.created_at
        from graphile_worker._private_jobs as job
        join graphile_worker._private_tasks as task on task.id = job.task_id
        order by job.id;
      end if;
    end $$;
    drop schema if exists graphile_worker cascade;
    drop table worker_pools;
  `);
}

/** Earlier versions make their own tables of graphile-worker when they migrate up. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    create table worker_pools (
      pool_id text primary key,
      seen_at timestamptz not null
    );
    drop table jobs;
    drop function announce_jobs;
  `);
}
