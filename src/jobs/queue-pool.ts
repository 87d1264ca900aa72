import type { Job } from "graphile-worker";
import type { Pool, PoolClient, QueryConfig, QueryResult, QueryResultRow } from "pg";
import { createGrouping, type GroupingOptions } from "../concurrency/grouping.js";
import { retryForever } from "../concurrency/retry-forever.js";
import { completeHeldJobs, isEndOfRun, removedBy, takeJobs, takesJob } from "./queue-store.js";

/** The pool for graphile-worker, and the end of jobs that were done. */
export interface QueuePool {
  readonly pool: Pool;
  /** Removes a finished job. @returns false if this run no longer held it */
  complete(job: Job): Promise<boolean>;
}

/** Takes a job, as the statement says. @returns undefined if there is none */
type TakeJob = (statement: QueryConfig) => Promise<QueryResultRow | undefined>;

/**
 * Creates the pool for graphile-worker.
 *
 * - It records the end of a run however long the database is unavailable. graphile-worker intends to retry
 *   such a statement twenty times. But when the first attempt fails, it ends its whole pool, and so our
 *   process.
 * - Jobs that are asked for at the same time are taken in one statement, and so are those that end removed.
 * - A job that `complete` has removed is not removed again.
 * @param listener connections whose sessions are kept, for the one that listens for new jobs
 * @param size how many jobs are taken or removed together at most
 */
export function createQueuePool(db: Pool, listener: Pool, size: number, signal: AbortSignal): QueuePool {
  // A statement about jobs fails because of the database, not because of one of them.
  const groups: GroupingOptions = { size, isOfOneItem: () => false };
  const removed = new Set<string>();
  const remove = createGrouping<Job, boolean>(groups, (jobs) => completeHeldJobs(db, jobs));
  const takeJob = createTaking(db, groups);
  const connect = (...listening: unknown[]) =>
    listening.length === 0
      ? Promise.resolve(lateClient(db, takeJob, removed, signal))
      : listener.connect(...(listening as Parameters<Pool["connect"]>));
  return {
    pool: new Proxy(db, {
      get: (pool, name) => (name === "connect" ? connect : Reflect.get(pool, name)),
    }),
    async complete(job) {
      const wasHeld = await remove(job);
      if (wasHeld) removed.add(String(job.id));
      return wasHeld;
    },
  };
}

/** While something is out, jobs that need it are not taken: only equal statements are run together. */
function createTaking(db: Pool, groups: GroupingOptions): TakeJob {
  const takings = new Map<string, TakeJob>();
  return (statement) => {
    const which = JSON.stringify([statement.text, statement.values]);
    let take = takings.get(which);
    if (!take) {
      take = createGrouping(groups, async (statements) => {
        const jobs: (QueryResultRow | undefined)[] = await takeJobs(db, statement, statements.length);
        return statements.map((_, index) => jobs[index]);
      });
      takings.set(which, take);
    }
    return take(statement);
  };
}

/** A client that takes a connection only when it knows the statement. */
function lateClient(
  db: Pool,
  takeJob: TakeJob,
  removed: Set<string>,
  signal: AbortSignal,
): Pick<PoolClient, "query" | "release"> {
  let client: PoolClient | undefined;
  async function query(statement: QueryConfig): Promise<Pick<QueryResult, "rows">> {
    const ids = removedBy(statement);
    if (ids?.filter((id) => !removed.delete(id)).length === 0) return { rows: [] };
    if (isEndOfRun(statement.text)) return retryForever(() => db.query(statement), signal);
    if (takesJob(statement)) {
      const job = await takeJob(statement);
      return { rows: job ? [job] : [] };
    }
    client ??= await db.connect();
    return client.query(statement);
  }
  return { query: query as PoolClient["query"], release: () => client?.release() };
}
