import type { Job } from "graphile-worker";
import type { Pool } from "pg";

/** The job as this run of it took it: another run would be of another pool, or a later attempt. */
const THIS_RUN = "id = $1 and locked_by = $2 and attempts = $3";

/** Whether this run of the job still holds it. */
export async function isHeld(db: Pool, job: Job): Promise<boolean> {
  const { rowCount } = await db.query(
    `select from graphile_worker._private_jobs where ${THIS_RUN}`,
    thisRun(job),
  );
  return rowCount === 1;
}

/**
 * Removes a job that was done, if this run of it still holds it. graphile-worker itself removes it whoever holds it:
 * a worker that was paused, and has lost the job to another, would take it from that one.
 * @returns whether it was still held
 */
export async function completeHeldJob(db: Pool, job: Job): Promise<boolean> {
  const { rowCount } = await db.query(
    `delete from graphile_worker._private_jobs where ${THIS_RUN}`,
    thisRun(job),
  );
  return rowCount === 1;
}

/**
 * Gives a job back to the queue as if it had not begun, to be run after a pause. Does nothing when another run holds it.
 * @param why is shown as the job's last error
 */
export async function postponeHeldJob(db: Pool, job: Job, pauseMs: number, why: string): Promise<void> {
  await db.query(
    `update graphile_worker._private_jobs
     set attempts = greatest(0, attempts - 1), locked_at = null, locked_by = null, updated_at = now(),
       run_at = now() + $4 * interval '1 millisecond', last_error = $5
     where ${THIS_RUN}`,
    [...thisRun(job), pauseMs, why],
  );
}

/** Gives the jobs that the pool holds back to the queue, as if it had not begun them. */
export async function releaseJobs(db: Pool, poolId: string): Promise<void> {
  await db.query(
    `update graphile_worker._private_jobs
     set attempts = greatest(0, attempts - 1), locked_at = null, locked_by = null
     where locked_by = $1`,
    [poolId],
  );
}

/**
 * Lets go of jobs that the pool holds without running them: it took them, or ended their run, with a
 * statement that broke off.
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

function thisRun({ id, locked_by, attempts }: Job): unknown[] {
  return [id, locked_by, attempts];
}
