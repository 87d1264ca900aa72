import type { Knex } from "knex";
import type { Pool } from "pg";
import type { Logger } from "pino";
import { repeat } from "../concurrency/repeat.js";
import { queryRowOrThrow } from "../db/query.js";

/** The heartbeat of one worker pool. */
export interface Heartbeat {
  /** Resolves when the first heartbeat is in the database: from then on the pool may take jobs. */
  readonly firstBeat: Promise<void>;
  /** Removes the pool from the list of living pools. */
  stop(): Promise<void>;
}

/**
 * Sends a heartbeat immediately and every `everyMs`. A pool that was silent for too long, and was considered
 * dead, lists itself again.
 */
export function startHeartbeat(db: Pool, poolId: string, everyMs: number, log: Logger): Heartbeat {
  const beating = repeat({
    name: "the worker's heartbeat",
    pauseMs: everyMs,
    log,
    async work() {
      await db.query(
        `insert into worker_pools (pool_id, seen_at) values ($1, now())
         on conflict (pool_id) do update set seen_at = now()`,
        [poolId],
      );
    },
  });
  return {
    firstBeat: beating.succeeded,
    async stop() {
      await beating.stop();
      await db.query("delete from worker_pools where pool_id = $1", [poolId]);
    },
  };
}

/** Whether any worker has sent a heartbeat within the last minute. */
export async function hasLivingWorker(db: Knex): Promise<boolean> {
  const { lives } = await queryRowOrThrow<{ lives: boolean }>(
    db,
    "select exists (select from worker_pools where seen_at > now() - interval '1 minute') as lives",
  );
  return lives;
}
