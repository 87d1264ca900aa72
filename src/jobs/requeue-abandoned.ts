import type { Pool } from "pg";
import type { Logger } from "pino";
import { unlockJobsOfSilentPools } from "./queue-store.js";

/**
 * Requeues the jobs of dead worker pools, so that others run them: jobs whose pool has sent no heartbeat for
 * `silenceMs`. A pool that lost its jobs while it was paused may still be running them.
 *
 * A pool without a heartbeat has just woken up, or was killed before it could list itself again.
 *
 * Times in the future come from before the clock was set back: a living pool lists itself again with its next
 * heartbeat.
 */
export async function requeueAbandonedJobs(db: Pool, silenceMs: number, log: Logger): Promise<void> {
  const silence = "$1 * interval '1 millisecond'";
  await db.query(
    `delete from worker_pools where seen_at not between now() - ${silence} and now() + ${silence}`,
    [silenceMs],
  );
  const silent = await unlockJobsOfSilentPools(db, silenceMs);
  if (silent.length > 0) log.warn({ silent }, "requeued the jobs of workers that stopped responding");
}
