import type { Pool } from "pg";
import type { Logger } from "pino";
import type { NewJob } from "./enqueue.js";

/** A job that will not be tried again and whose task may not have been able to say so: its worker was killed. */
export type LostJob = NewJob;

/** Deals with lost jobs; they leave the queue when it resolves. It may get the same job twice. */
export type OnLost = (jobs: readonly LostJob[]) => Promise<void>;

const BATCH = 1000;

/**
 * Takes the jobs of dead worker pools from them, so that others run them: those that nobody holds whose heartbeat is
 * younger than `silenceMs`. A pool that lost its jobs while it was paused may still be running them.
 *
 * graphile-worker 0.17 writes the id of the pool, not of the worker, into `locked_by`, and `force_unlock_workers` wants
 * what stands there. A pool without a heartbeat has just been woken up, or was killed before it could list itself anew.
 */
export async function rescueJobs(db: Pool, silenceMs: number, log: Logger): Promise<void> {
  await db.query("delete from worker_pools where seen_at < now() - $1 * interval '1 millisecond'", [
    silenceMs,
  ]);
  const { rows } = await db.query<{ pool_id: string; jobs: number }>(
    `select locked_by as pool_id, count(*)::int as jobs
     from graphile_worker._private_jobs
     where locked_at < now() - $1 * interval '1 millisecond'
       and not exists (select from worker_pools where pool_id = locked_by)
     group by locked_by`,
    [silenceMs],
  );
  if (rows.length === 0) return;
  await db.query("select graphile_worker.force_unlock_workers($1::text[])", [rows.map((row) => row.pool_id)]);
  for (const { pool_id, jobs } of rows)
    log.warn({ poolId: pool_id, jobs }, "took the jobs of a silent worker");
}

/** Hands over the jobs that have no attempt left and are not running, and removes them from the queue. */
export async function removeLostJobs(db: Pool, tasks: readonly string[], onLost: OnLost): Promise<void> {
  for (;;) {
    const { rows } = await db.query<LostJob & { id: string }>(
      `select jobs.id, tasks.identifier as task, jobs.payload
       from graphile_worker._private_jobs as jobs
       join graphile_worker._private_tasks as tasks on tasks.id = jobs.task_id
       where jobs.attempts >= jobs.max_attempts and jobs.locked_at is null and tasks.identifier = any($1)
       order by jobs.id
       limit $2`,
      [tasks, BATCH],
    );
    if (rows.length === 0) return;
    await onLost(rows.map(({ task, payload }) => ({ task, payload })));
    await db.query(
      `delete from graphile_worker._private_jobs
       where id = any($1::bigint[]) and attempts >= max_attempts and locked_at is null`,
      [rows.map(({ id }) => id)],
    );
  }
}
