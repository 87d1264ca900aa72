import type { Job } from "graphile-worker";
import type { Pool } from "pg";

/**
 * Removes a job that was done, if this run of it still holds it. graphile-worker itself removes it whoever holds it:
 * a worker that was paused, and has lost the job to another, would take it from that one.
 * @returns whether it was still held
 */
export async function completeHeldJob(db: Pool, job: Job): Promise<boolean> {
  const { rowCount } = await db.query(
    "delete from graphile_worker._private_jobs where id = $1 and locked_by = $2 and attempts = $3",
    [job.id, job.locked_by, job.attempts],
  );
  return rowCount === 1;
}

/** Gives all jobs of the pool back to the queue, as if it had not begun them. */
export async function giveBackJobs(db: Pool, poolId: string): Promise<void> {
  await db.query(
    `update graphile_worker._private_jobs
     set attempts = greatest(0, attempts - 1), locked_at = null, locked_by = null
     where locked_by = $1`,
    [poolId],
  );
}

/**
 * Lets go of jobs that the pool holds without running them: their rows were locked, or the end of their run was, in a
 * statement whose answer never came.
 */
export async function releaseStrayJobs(
  db: Pool,
  poolId: string,
  running: Iterable<string>,
  ageMs: number,
): Promise<void> {
  await db.query(
    `update graphile_worker._private_jobs
     set locked_at = null, locked_by = null
     where locked_by = $1 and locked_at < now() - $2 * interval '1 millisecond' and id <> all($3::bigint[])`,
    [poolId, ageMs, [...running]],
  );
}
