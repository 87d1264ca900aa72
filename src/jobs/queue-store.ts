import type { Job } from "graphile-worker";
import type { Knex } from "knex";
import type { Pool, QueryConfig, QueryResultRow } from "pg";
import { execute, queryRowOrThrow, queryRows } from "../db/query.js";
import type { NewJob } from "./enqueue.js";
import type { TaskName } from "./tasks.js";

/**
 * The tables of graphile-worker 0.17, which it calls private: no other file uses them. Check this file
 * against each new version of the library.
 */
const JOBS = "graphile_worker._private_jobs";
const TASKS = "graphile_worker._private_tasks";

/** The job as this run took it: another run has another pool or a later attempt. */
const THIS_RUN = "id = $1 and locked_by = $2 and attempts = $3";

/** Whether this run still holds the job. */
export async function isHeld(db: Pool, job: Job): Promise<boolean> {
  const { rowCount } = await db.query(`select from ${JOBS} where ${THIS_RUN}`, thisRun(job));
  return rowCount === 1;
}

/**
 * Removes finished jobs that these runs still hold. graphile-worker itself would remove them whoever holds
 * them. So a worker that was paused, and has lost a job to another, would take it from that one.
 * @returns for each run whether it still held its job
 */
export async function completeHeldJobs(db: Pool, jobs: readonly Job[]): Promise<boolean[]> {
  const { rows } = await db.query<{ id: number }>({
    name: "complete_held_jobs",
    text: `delete from ${JOBS} as job
     using unnest($1::bigint[], $2::text[], $3::integer[]) as run (id, locked_by, attempts)
     where job.id = run.id and job.locked_by = run.locked_by and job.attempts = run.attempts
     returning job.id`,
    values: [
      jobs.map(({ id }) => id),
      jobs.map(({ locked_by }) => locked_by),
      jobs.map(({ attempts }) => attempts),
    ],
  });
  const removed = new Set(rows.map(({ id }) => String(id)));
  return jobs.map(({ id }) => removed.has(String(id)));
}

/**
 * Returns a job to the queue with as many attempts left as before, to be run after a pause. Does nothing if
 * another run holds it.
 * @param why shown as the job's last error
 */
export async function postponeHeldJob(db: Pool, job: Job, pauseMs: number, why: string): Promise<void> {
  await db.query(
    `update ${JOBS}
     set attempts = greatest(0, attempts - 1), locked_at = null, locked_by = null, updated_at = now(),
       run_at = now() + $4 * interval '1 millisecond', last_error = $5
     where ${THIS_RUN}`,
    [...thisRun(job), pauseMs, why],
  );
}

function thisRun({ id, locked_by, attempts }: Job): unknown[] {
  return [id, locked_by, attempts];
}

/**
 * Whether a statement records the end of a run, as graphile-worker writes it. Repeating it is harmless: a
 * finished job is gone by then, and a failed one is no longer locked.
 */
export function isEndOfRun(statement: string): boolean {
  return /^\s*(delete from \S+_private_jobs as jobs\s|update \S+_private_jobs as jobs\s+set\s+last_error\s)/.test(
    statement,
  );
}

/** A statement in which graphile-worker removes jobs that are done. */
const REMOVES = /^\s*delete from \S+_private_jobs as jobs\s+(where id = \$1|using unnest\(\$1)/;

/** @returns the ids of the jobs that a statement of graphile-worker removes because they are done */
export function removedBy({ text, values = [] }: QueryConfig): string[] | undefined {
  return REMOVES.test(text) ? [values[0]].flat().map(String) : undefined;
}

/** The end of the query in which graphile-worker takes a single job. */
const TAKES_ONE = /\blimit 1(?=\s+for update\s+skip locked)/;

export function takesJob({ text }: QueryConfig): boolean {
  return TAKES_ONE.test(text);
}

/** Takes several jobs with the statement of graphile-worker that takes one. */
export async function takeJobs(db: Pool, statement: QueryConfig, count: number): Promise<QueryResultRow[]> {
  const { name, text, ...bound } = statement; // the name stands for the statement with `limit 1`
  const severally: QueryConfig = {
    ...bound,
    ...(name && { name: `${name} ${count}` }),
    text: text.replace(TAKES_ONE, `limit ${count}`),
  };
  const { rows } = await db.query<QueryResultRow>(count === 1 ? statement : severally);
  return rows;
}

/** Whether no other run of the job has begun. One that cost no attempt has left its error. */
export function isFirstRun({ attempts, last_error }: Job): boolean {
  return attempts === 1 && last_error === null;
}

/** Returns the pool's locked jobs to the queue, with as many attempts left as before. */
export async function releaseJobs(db: Pool, poolId: string): Promise<void> {
  await db.query(
    `update ${JOBS}
     set attempts = greatest(0, attempts - 1), locked_at = null, locked_by = null,
       last_error = coalesce(last_error, 'The worker ended before the job did.')
     where locked_by = $1`,
    [poolId],
  );
}

/**
 * Unlocks jobs that the pool has locked but does not run. A broken statement had taken them or ended their
 * run.
 */
export async function releaseStrayJobs(
  db: Pool,
  poolId: string,
  running: Iterable<string>,
  ageMs: number,
): Promise<void> {
  await db.query(
    `update ${JOBS}
     set locked_at = null, locked_by = null
     where locked_by = $1 and locked_at < now() - $2 * interval '1 millisecond' and id <> all($3::bigint[])`,
    [poolId, ageMs, [...running]],
  );
}

/** Jobs whose worker pool has been silent. */
export interface SilentPool {
  readonly poolId: string;
  readonly jobs: number;
}

/** Jobs that died with two workers run this far apart. One of them may be what kills the workers. */
const APART = "interval '1 second'";

/**
 * Unlocks jobs that were locked more than `silenceMs` ago, or in the future, by a pool without a heartbeat.
 *
 * graphile-worker writes the id of the pool, not of the worker, into `locked_by`, and `force_unlock_workers`
 * expects the same id.
 * @returns the pools that lost jobs
 */
export async function unlockJobsOfSilentPools(db: Pool, silenceMs: number): Promise<SilentPool[]> {
  const silence = "$1 * interval '1 millisecond'";
  const { rows } = await db.query<SilentPool>(
    `select locked_by as "poolId", count(*)::int as jobs
     from ${JOBS}
     where locked_at not between now() - ${silence} and now() + ${silence}
       and not exists (select from worker_pools where pool_id = locked_by)
     group by locked_by`,
    [silenceMs],
  );
  if (rows.length > 0) {
    const silent = rows.map(({ poolId }) => poolId);
    // Before they are unlocked. Otherwise innocent jobs would spend all attempts beside the same deadly one.
    await db.query(
      `update ${JOBS} as jobs set run_at = now() + suspects.position * ${APART}
       from (
         select id, row_number() over (order by id) as position from ${JOBS}
         where locked_by = any($1::text[]) and attempts >= 2
       ) as suspects
       where jobs.id = suspects.id`,
      [silent],
    );
    await db.query("select graphile_worker.force_unlock_workers($1::text[])", [silent]);
  }
  return rows;
}

/** A job without attempts left, locked until it is removed or released. */
export interface LockedDeadLetter {
  readonly id: string;
  readonly lost: NewJob;
}

/** Locks unlocked jobs without attempts left, so that no other worker gets them meanwhile. */
export async function lockDeadLetters(
  db: Pool,
  poolId: string,
  tasks: readonly string[],
  limit: number,
): Promise<LockedDeadLetter[]> {
  const { rows } = await db.query<{ id: string } & NewJob>(
    `with lost as (
       select jobs.id, tasks.identifier as task
       from ${JOBS} as jobs
       join ${TASKS} as tasks on tasks.id = jobs.task_id
       where jobs.attempts >= jobs.max_attempts and jobs.locked_at is null and tasks.identifier = any($2)
       order by jobs.id
       limit $3
       for update of jobs skip locked
     )
     update ${JOBS} as jobs
     set locked_at = now(), locked_by = $1
     from lost
     where jobs.id = lost.id
     returning jobs.id, lost.task, jobs.payload`,
    [poolId, tasks, limit],
  );
  return rows.map(({ id, ...lost }) => ({ id, lost }));
}

/** Removes jobs that the pool has locked. */
export async function removeLockedJobs(db: Pool, poolId: string, ids: readonly string[]): Promise<void> {
  await db.query(`delete from ${JOBS} where locked_by = $1 and id = any($2)`, [poolId, ids]);
}

/** Unlocks jobs that the pool has locked. */
export async function releaseLockedJobs(db: Pool, poolId: string, ids: readonly string[]): Promise<void> {
  await db.query(
    `update ${JOBS} set locked_at = null, locked_by = null where locked_by = $1 and id = any($2)`,
    [poolId, ids],
  );
}

/**
 * Removes jobs whose last attempt was more than `days` days ago. Finished jobs leave the queue at once, and
 * any worker that knows their task hands over those that failed for good. What is left are jobs of other
 * versions.
 */
export async function removeFailedJobs(knex: Knex, days: number): Promise<void> {
  await execute(
    knex,
    `delete from ${JOBS}
     where attempts >= max_attempts and locked_at is null and updated_at < now() - make_interval(days => ?)`,
    [days],
  );
}

/**
 * Removes the jobs of these credentials from the queue, with the errors of their last runs. Jobs that are
 * running stay, so their tasks must tolerate it.
 */
export async function dropWaitingJobs(
  db: Knex,
  credentials: readonly { readonly id: number; readonly uuid: string }[],
): Promise<void> {
  await execute(
    db,
    `delete from ${JOBS}
     where locked_at is null
       and (payload->>'credentialUuid' = any (?::text[]) or payload->>'credentialId' = any (?::text[]))`,
    [credentials.map(({ uuid }) => uuid), credentials.map(({ id }) => String(id))],
  );
}

/** SQL that removes the generation jobs of these credentials, except running ones. */
export function dropGenerations(credentialIds: string): string {
  return `
    delete from ${JOBS} job
    using ${TASKS} task
    where task.id = job.task_id and task.identifier = 'generate_credential' and job.locked_at is null
      -- "is true" has it look them up in a hash table: it can't know how many they are, and might go through all for each.
      and (cast(job.payload ->> 'credentialId' as bigint) in (${credentialIds})) is true`;
}

/** SQL: the jobs of a task, including running ones, as `job`; continue with `and …`. */
export function jobsOf(task: TaskName): string {
  return `${JOBS} job join ${TASKS} task on task.id = job.task_id where task.identifier = '${task}'`;
}

/** Clocks may differ a little, and a job may be postponed by half a minute. */
const CLOCK_SLACK = "10 minutes";

/**
 * Whether a job waits for a time that nothing explains, for example because it was queued before the clock
 * was set back. After a failure the queue itself pauses for `e^attempts` seconds, at most `e^10`.
 */
const IS_DELAYED = `(
  locked_at is null and attempts < max_attempts
  and run_at > now() + exp(least(attempts, 10)) * interval '1 second' + interval '${CLOCK_SLACK}'
)`;

/** Jobs of a task that wait for a time that nothing explains. */
export interface DelayedJobs {
  readonly task: string;
  readonly count: number;
  /** When the last of them is due, as an ISO timestamp. */
  readonly until: string;
}

/** SQL that returns `DelayedJobs`, one row per task. */
export const DELAYED_JOBS = `
  select task.identifier as task, count(*)::int as count,
    to_char(max(run_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as until
  from ${JOBS} job join ${TASKS} task on task.id = job.task_id
  where ${IS_DELAYED}
  group by task.identifier order by task.identifier`;

/** Makes all delayed jobs due now and wakes the workers. */
export async function bringForwardDelayedJobs(knex: Knex): Promise<void> {
  await execute(
    knex,
    `with due as (
       update ${JOBS} set run_at = now(), updated_at = now() where ${IS_DELAYED} returning id
     )
     select pg_notify('jobs:insert', json_build_object('count', count(*))::text) from due`,
  );
}

/** What is wrong with the queue as a whole. */
export interface QueueHealth {
  /** Whether a runnable job has waited for longer than `longestWait`. */
  readonly isStuck: boolean;
  /** Whether jobs are scheduled for a time that nothing explains. */
  readonly isAhead: boolean;
}

/** @param longestWait an interval in PostgreSQL's notation, such as `10 minutes` */
export async function readQueueHealth(knex: Knex, longestWait: string): Promise<QueueHealth> {
  return queryRowOrThrow<QueueHealth>(
    knex,
    `select exists (
       select from ${JOBS}
       where locked_at is null and attempts < max_attempts and run_at < now() - cast(:longestWait as interval)
     ) as "isStuck",
     exists (
       select from ${JOBS} where ${IS_DELAYED} or created_at > now() + cast(:longestWait as interval)
     ) as "isAhead"`,
    { longestWait },
  );
}

/** Jobs of a task in the same state. */
export interface QueuePart {
  readonly task: string;
  readonly state: "ready" | "running" | "later";
  readonly jobs: number;
  /** Seconds since the oldest one was due. */
  readonly age: number;
}

/** Measures the length and age of the queue, by task and state. */
export async function measureQueue(knex: Knex): Promise<QueuePart[]> {
  return queryRows<QueuePart>(
    knex,
    `select identifier as task,
       case when locked_at is not null then 'running' when run_at > now() then 'later' else 'ready' end as state,
       count(*) as jobs,
       extract(epoch from greatest(interval '0', now() - min(run_at)))::double precision as age
     from ${JOBS} jobs join ${TASKS} tasks on tasks.id = task_id
     group by 1, 2`,
  );
}
