import { type Knex, query, queryRows } from "../db/query.js";
import type { NewJob } from "./enqueue.js";
import type { TaskName } from "./tasks.js";

/** A job as taken by one run. */
export type Job = NewJob & {
  readonly id: number;
  /** Number of this run. If another run takes the job, that run has a higher number. */
  readonly runs: number;
  /** Number of attempts, including this run; more than `maxAttempts` if the job was lost in its last attempt. */
  readonly attempts: number;
  readonly maxAttempts: number;
  /** Whether the lease of the previous run has expired: its worker was killed, or did not renew it. */
  readonly wasLost: boolean;
};

/**
 * SQL: whether a run has the job. A lease that ends too far in the future was made before the clock was set back, and
 * is ignored.
 */
export const IS_LEASED = "(jobs.leased_until between now() and now() + interval '1 minute') is true";

/**
 * SQL: whether the job is due and no run has it. After a failed attempt, a job waits for `e^attempts` seconds (at most
 * e^10, about six hours), and after an outage for half a minute. If its time is more than ten minutes beyond these
 * pauses, the clock has been set back, and the job is treated as due.
 */
export const IS_DUE = `(
  not ${IS_LEASED}
  and jobs.run_at not between now() and now() + exp(least(jobs.attempts, 10)) * interval '1 second' + interval '10 minutes'
)`;

/** Jobs that were lost with two workers start this far apart, because one of them may have crashed the workers. */
const RESTART_INTERVAL = "interval '1 second'";

interface JobRequest {
  readonly tasks: readonly string[];
  readonly limit: number;
  readonly leaseMs: number;
  /** Ids of jobs that this worker is running. It doesn't take them again, even if their leases have expired. */
  readonly running: readonly number[];
  /** Whether to take jobs whose lease has expired. */
  readonly takesOver: boolean;
}

/**
 * Takes due jobs, in the order of their priority and time. No other worker gets them until their lease expires.
 *
 * Jobs that were lost with two workers are not taken but postponed, each by one more second. Otherwise, harmless jobs
 * would use up their attempts because they run beside a job that crashes the worker.
 *
 * The statement is not prepared, because a plan that was made for an empty queue would be kept for a full one.
 */
export function takeJobs(
  db: Knex,
  { tasks, limit, leaseMs, running, takesOver }: JobRequest,
): Promise<Job[]> {
  return queryRows<Job>(
    db,
    `with due as (
       select id, leased_until is not null as was_lost,
         leased_until is not null and attempts between 2 and max_attempts - 1 as is_suspect
       from jobs
       where task = any (:tasks) and ${IS_DUE}
         and (leased_until is null or :takesOver) and id <> all (cast(:running as bigint[]))
       order by priority, run_at
       limit :limit
       for update skip locked
     ), apart as (
       update jobs set leased_until = null, run_at = now() + position * ${RESTART_INTERVAL}
       from (select id, row_number() over (order by id) as position from due where is_suspect) as suspect
       where jobs.id = suspect.id
     )
     update jobs
     set runs = runs + 1, attempts = attempts + 1,
       leased_until = now() + :leaseMs * interval '1 millisecond'
     from due
     where jobs.id = due.id and not due.is_suspect
     returning jobs.id, task, payload, runs, attempts, max_attempts as "maxAttempts", due.was_lost as "wasLost"`,
    { tasks, limit, leaseMs, running, takesOver },
  );
}

const STILL_LEASED = "jobs.id = run.id and jobs.runs = run.runs and jobs.leased_until is not null";

/** Returns for each run whether it still has its job. */
export function renewLeases(db: Knex, runs: readonly Job[], leaseMs: number): Promise<boolean[]> {
  return onLeased(
    db,
    runs,
    `update jobs set leased_until = now() + ? * interval '1 millisecond'
     from ${RUNS} where ${STILL_LEASED} returning jobs.id, jobs.runs`,
    [leaseMs],
  );
}

/** Returns for each run whether it still had its job. */
export function completeJobs(db: Knex, runs: readonly Job[]): Promise<boolean[]> {
  return onLeased(
    db,
    runs,
    `delete from jobs using ${RUNS} where ${STILL_LEASED} returning jobs.id, jobs.runs`,
  );
}

const RUNS = "unnest(?::bigint[], ?::integer[]) as run (id, runs)";

async function onLeased(
  db: Knex,
  runs: readonly Job[],
  sql: string,
  bindings: readonly unknown[] = [],
): Promise<boolean[]> {
  const numbers = [runs.map(({ id }) => id), runs.map((run) => run.runs)];
  const rows = await queryRows<Pick<Job, "id" | "runs">>(db, sql, [...bindings, ...numbers]);
  const leased = new Map(rows.map((row) => [row.id, row.runs]));
  return runs.map((run) => leased.get(run.id) === run.runs);
}

export interface ReturnedJob {
  readonly job: Job;
  /** Whether the run is included in the number of attempts. */
  readonly isCounted: boolean;
  readonly pauseMs: number;
  /** Stored as the job's last error. */
  readonly error: string;
}

/** Returns jobs to the queue. They run again after a pause. Jobs that another run has taken are left alone. */
export async function returnJobs(db: Knex, returned: readonly ReturnedJob[]): Promise<void> {
  await query(
    db,
    "return_jobs",
    `update jobs
     set leased_until = null, attempts = attempts - run.uncounted, last_error = run.error,
       run_at = now() + run.pause * interval '1 millisecond'
     from unnest(?::bigint[], ?::integer[], ?::integer[], ?::float8[], ?::text[])
       as run (id, runs, uncounted, pause, error)
     where ${STILL_LEASED}`,
    [
      returned.map(({ job }) => job.id),
      returned.map(({ job }) => job.runs),
      returned.map(({ isCounted }) => (isCounted ? 0 : 1)),
      returned.map(({ pauseMs }) => pauseMs),
      returned.map(({ error }) => error.replaceAll("\0", "")),
    ],
  );
}

/** Removes and returns the credentials' jobs. Running jobs are kept, so their tasks must also work after this call. */
export function dropWaitingJobs(
  db: Knex,
  credentials: readonly { readonly id: number; readonly uuid: string }[],
): Promise<NewJob[]> {
  return queryRows<NewJob>(
    db,
    `delete from jobs
     where not ${IS_LEASED}
       and (payload->>'credentialUuid' = any (?::text[]) or payload->>'credentialId' = any (?::text[]))
     returning task, payload`,
    [credentials.map(({ uuid }) => uuid), credentials.map(({ id }) => String(id))],
  );
}

/** SQL that removes the generation jobs of these credentials, except running ones. */
export function dropGenerations(credentialIds: string): string {
  return `
    delete from jobs
    where task = 'generate_credential' and not ${IS_LEASED}
      -- "is true" makes Postgres look up the ids in a hash table. Otherwise it might read all ids for each job,
      -- because it can't estimate their number.
      and (cast(payload ->> 'credentialId' as bigint) in (${credentialIds})) is true`;
}

/** SQL: the jobs of a task, including running ones, as `job`; continue with `and …`. */
export function jobsOf(task: TaskName): string {
  return `jobs job where job.task = '${task}'`;
}
