import type { Pool } from "pg";
import type { Logger } from "pino";

/**
 * Takes the jobs of dead worker pools from them, so that others run them: those that nobody holds whose heartbeat is
 * younger than `silenceMs`. A pool that lost its jobs while it was paused may still be running them.
 *
 * graphile-worker 0.17 writes the id of the pool, not of the worker, into `locked_by`, and `force_unlock_workers` wants
 * what stands there. A pool without a heartbeat has just been woken up, or was killed before it could list itself anew.
 *
 * Times that are ahead come from before the clock was set back: a pool that lives lists itself anew with its next heartbeat.
 */
export async function requeueAbandonedJobs(db: Pool, silenceMs: number, log: Logger): Promise<void> {
  const silence = "$1 * interval '1 millisecond'";
  await db.query(
    `delete from worker_pools where seen_at not between now() - ${silence} and now() + ${silence}`,
    [silenceMs],
  );
  const { rows } = await db.query<{ poolId: string; jobs: number }>(
    `select locked_by as "poolId", count(*)::int as jobs
     from graphile_worker._private_jobs
     where locked_at not between now() - ${silence} and now() + ${silence}
       and not exists (select from worker_pools where pool_id = locked_by)
     group by locked_by`,
    [silenceMs],
  );
  if (rows.length === 0) return;
  const silent = rows.map(({ poolId }) => poolId);
  await db.query("select graphile_worker.force_unlock_workers($1::text[])", [silent]);
  log.warn({ silent: rows }, "took the jobs of silent workers");
}
