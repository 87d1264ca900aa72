import type { Pool } from "pg";
import type { NewJob } from "./enqueue.js";

/** A job that was tried for the last time in vain: its task failed, or its worker was killed. */
export type DeadLetter = NewJob;

/**
 * Deals with lost jobs; they leave the queue when it resolves. One worker at a time gets a job, but another one gets it again
 * when that one dies, or when it rejects.
 */
export type OnDeadLetter = (jobs: readonly DeadLetter[]) => Promise<void>;

const BATCH = 1000;

/** Hands over the jobs that have no attempt left and that nobody holds, and removes them from the queue. */
export async function handleDeadLetters(
  db: Pool,
  poolId: string,
  tasks: readonly string[],
  onLost: OnDeadLetter,
): Promise<void> {
  for (;;) {
    const jobs = await lockDeadLetters(db, poolId, tasks);
    if (jobs.length === 0) return;
    const held = [poolId, jobs.map(({ id }) => id)];
    try {
      await onLost(jobs.map(({ lost }) => lost));
      await db.query("delete from graphile_worker._private_jobs where locked_by = $1 and id = any($2)", held);
    } catch (error) {
      await db.query(
        `update graphile_worker._private_jobs set locked_at = null, locked_by = null
         where locked_by = $1 and id = any($2)`,
        held,
      );
      throw error;
    }
  }
}

/** While they are held, no other worker hands them over. */
async function lockDeadLetters(
  db: Pool,
  poolId: string,
  tasks: readonly string[],
): Promise<{ id: string; lost: DeadLetter }[]> {
  const { rows } = await db.query(
    `with lost as (
       select jobs.id, tasks.identifier as task
       from graphile_worker._private_jobs as jobs
       join graphile_worker._private_tasks as tasks on tasks.id = jobs.task_id
       where jobs.attempts >= jobs.max_attempts and jobs.locked_at is null and tasks.identifier = any($2)
       order by jobs.id
       limit $3
       for update of jobs skip locked
     )
     update graphile_worker._private_jobs as jobs
     set locked_at = now(), locked_by = $1
     from lost
     where jobs.id = lost.id
     returning jobs.id, lost.task, jobs.payload`,
    [poolId, tasks, BATCH],
  );
  return rows.map(({ id, task, payload }) => ({ id, lost: { task, payload } }));
}
