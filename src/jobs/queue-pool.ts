import type { Pool, PoolClient, QueryConfig, QueryResult } from "pg";
import { retryForever } from "../concurrency/retry-forever.js";

/**
 * How graphile-worker 0.17 writes down the end of a run. Doing so again changes nothing: a job that is done is gone by then,
 * and one that has failed is not locked any more.
 */
const END_OF_RUN =
  /^\s*(delete from \S+_private_jobs as jobs\s|update \S+_private_jobs as jobs\s+set\s+last_error\s)/;

/**
 * The pool as graphile-worker gets it: the end of a run is written down however long the database is away. It means to try
 * such a statement twenty times, but ends its whole pool, and so our process, when the first one fails.
 */
export function createQueuePool(db: Pool, signal: AbortSignal): Pool {
  const connect = (...listening: unknown[]) =>
    listening.length === 0
      ? Promise.resolve(lateClient(db, signal))
      : db.connect(...(listening as Parameters<Pool["connect"]>));
  return new Proxy(db, {
    get: (pool, name) => (name === "connect" ? connect : Reflect.get(pool, name)),
  });
}

/** A client that takes a connection when it is known what for. */
function lateClient(db: Pool, signal: AbortSignal): Pick<PoolClient, "query" | "release"> {
  let client: PoolClient | undefined;
  async function query(statement: QueryConfig): Promise<QueryResult> {
    if (END_OF_RUN.test(statement.text)) return retryForever(() => db.query(statement), signal);
    client ??= await db.connect();
    return client.query(statement);
  }
  return { query: query as PoolClient["query"], release: () => client?.release() };
}
