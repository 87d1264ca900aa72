import type { Knex } from "knex";
import { queryRowOrThrow, queryRows } from "../db/query.js";
import { IS_DUE, IS_LEASED } from "./queue-store.js";

/** Whether workers take jobs: one is being run, or none is due. */
export async function hasWorker(db: Knex): Promise<boolean> {
  const { works } = await queryRowOrThrow<{ works: boolean }>(
    db,
    `select exists (select from jobs where ${IS_LEASED})
       or not exists (select from jobs where ${IS_DUE}) as works`,
  );
  return works;
}

/**
 * Returns whether a runnable job has waited too long.
 * @param longestWait an interval in PostgreSQL's notation, such as `10 minutes`
 */
export async function isQueueStuck(db: Knex, longestWait: string): Promise<boolean> {
  const { isStuck } = await queryRowOrThrow<{ isStuck: boolean }>(
    db,
    `select exists (
       select from jobs
       where ${IS_DUE} and attempts < max_attempts and run_at < now() - cast(? as interval)
     ) as "isStuck"`,
    [longestWait],
  );
  return isStuck;
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
       case when ${IS_LEASED} then 'running' when ${IS_DUE} then 'ready' else 'later' end as state,
       count(*) as jobs,
       extract(epoch from greatest(interval '0', now() - min(run_at)))::double precision as age
     from jobs
     group by 1, 2`,
  );
}
