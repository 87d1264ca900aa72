import { execute, type Knex, queryRows, queryValue } from "../db/query.js";
import { IS_DUE, IS_LEASED } from "./queue-store.js";
import type { TaskName } from "./tasks.js";

/** Returns whether workers take jobs: a job is running, or none is due. */
export async function hasWorker(db: Knex): Promise<boolean> {
  return queryValue<boolean>(
    db,
    `select exists (select from jobs where ${IS_LEASED})
       or not exists (select from jobs where ${IS_DUE}) as works`,
  );
}

/**
 * Returns whether a runnable job has waited too long.
 * @param longestWait an interval in PostgreSQL's notation, for example `10 minutes`
 */
export async function isQueueStuck(db: Knex, longestWait: string): Promise<boolean> {
  return queryValue<boolean>(
    db,
    `select exists (
       select from jobs
       where ${IS_DUE} and attempts < max_attempts and run_at < now() - cast(? as interval)
     ) as "isStuck"`,
    [longestWait],
  );
}

interface QueuePart {
  readonly task: string;
  readonly state: "ready" | "running" | "later";
  readonly jobs: number;
  /** Seconds since the oldest of these jobs was due. */
  readonly age: number;
}

/** Counts jobs, and measures their delay, by task and state. */
export async function measureQueue(db: Knex): Promise<QueuePart[]> {
  return queryRows<QueuePart>(
    db,
    `select task,
       case when ${IS_LEASED} then 'running' when ${IS_DUE} then 'ready' else 'later' end as state,
       count(*) as jobs,
       extract(epoch from greatest(interval '0', now() - min(run_at)))::double precision as age
     from jobs
     group by 1, 2`,
  );
}

interface TaskHealth {
  readonly task: string;
  readonly ready: number;
  readonly running: number;
  /** Jobs that are not due yet. */
  readonly later: number;
  /** Number of jobs that have failed at least once. */
  readonly failed: number;
  /** Seconds since the oldest ready job was due. */
  readonly age: number;
  /** Error of the oldest failed job, which may name a person. */
  readonly lastError: string;
}

/** Summarises the queue for operators, by task. */
export function measureTasks(db: Knex): Promise<TaskHealth[]> {
  return queryRows<TaskHealth>(
    db,
    `select task, count(*) filter (where state = 'ready')::integer as ready,
       count(*) filter (where state = 'running')::integer as running,
       count(*) filter (where state = 'later')::integer as later,
       count(*) filter (where last_error is not null)::integer as failed,
       coalesce(extract(epoch from now() - min(run_at) filter (where state = 'ready')), 0)::float8 as age,
       coalesce((array_agg(last_error order by id) filter (where last_error is not null))[1], '') as "lastError"
     from (
       select id, task, run_at, last_error,
         case when ${IS_LEASED} then 'running' when ${IS_DUE} then 'ready' else 'later' end as state
       from jobs
     ) as job
     group by task order by task`,
  );
}

/** Makes jobs that wait for a retry due now. Returns their number. */
export function runNow(db: Knex, task: TaskName): Promise<number> {
  return execute(
    db,
    `update jobs set run_at = now()
     where task = ? and not ${IS_LEASED} and not ${IS_DUE} and last_error is not null`,
    [task],
  );
}
