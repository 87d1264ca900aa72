import type { Knex } from "knex";
import { execute, queryRowOrThrow, queryRows } from "../db/query.js";
import { IS_LEASED } from "./queue-store.js";

/** Clocks may differ a little, and a job may be postponed by half a minute. */
const CLOCK_SLACK = "10 minutes";

/** SQL: the pause after a failed attempt, of `e^attempts` seconds. */
const BACK_OFF = "exp(least(attempts, 10)) * interval '1 second'";

/**
 * SQL: whether a job waits for a time that nothing explains, for example because it was enqueued before the
 * clock was set back.
 */
const IS_DELAYED = `(leased_until is null and run_at > now() + ${BACK_OFF} + interval '${CLOCK_SLACK}')`;

/** SQL: whether a worker that knows the task should have the job by now. */
const IS_DUE = `(run_at <= now() and not ${IS_LEASED})`;

/** Jobs of a task that wait for a time that nothing explains. */
export interface DelayedJobs {
  readonly task: string;
  readonly count: number;
  /** When the last of them is due, as an ISO timestamp. */
  readonly until: string;
}

/** SQL that returns `DelayedJobs`, one row per task. */
export const DELAYED_JOBS = `
  select task, count(*)::int as count,
    to_char(max(run_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as until
  from jobs
  where ${IS_DELAYED}
  group by task order by task`;

/** Makes all delayed jobs due now and wakes the workers. */
export async function bringForwardDelayedJobs(db: Knex): Promise<void> {
  await execute(
    db,
    `with due as (update jobs set run_at = now() where ${IS_DELAYED})
     select pg_notify('jobs', '')`,
  );
}

/** Whether workers take jobs: one is being run, or none is due. */
export async function hasWorker(db: Knex): Promise<boolean> {
  const { works } = await queryRowOrThrow<{ works: boolean }>(
    db,
    `select exists (select from jobs where ${IS_LEASED})
       or not exists (select from jobs where ${IS_DUE}) as works`,
  );
  return works;
}

/** What is wrong with the queue as a whole. */
export interface QueueHealth {
  /** Whether a runnable job has waited for longer than `longestWait`. */
  readonly isStuck: boolean;
  /** Whether jobs are scheduled for a time that nothing explains. */
  readonly isAhead: boolean;
}

/** @param longestWait an interval in PostgreSQL's notation, such as `10 minutes` */
export async function readQueueHealth(db: Knex, longestWait: string): Promise<QueueHealth> {
  return queryRowOrThrow<QueueHealth>(
    db,
    `select exists (
       select from jobs
       where ${IS_DUE} and attempts < max_attempts and run_at < now() - cast(:longestWait as interval)
     ) as "isStuck",
     exists (
       select from jobs where ${IS_DELAYED} or created_at > now() + cast(:longestWait as interval)
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
export async function measureQueue(db: Knex): Promise<QueuePart[]> {
  return queryRows<QueuePart>(
    db,
    `select task,
       case when ${IS_LEASED} then 'running' when run_at > now() then 'later' else 'ready' end as state,
       count(*) as jobs,
       extract(epoch from greatest(interval '0', now() - min(run_at)))::double precision as age
     from jobs
     group by 1, 2`,
  );
}
