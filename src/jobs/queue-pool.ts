import type { Pool, PoolClient, QueryConfig, QueryResult } from "pg";
import { retryForever } from "../concurrency/retry-forever.js";
import { isEndOfRun } from "./queue-store.js";

/**
 * The pool for graphile-worker: it records the end of a run however long the database is unavailable.
 * graphile-worker intends to retry such a statement twenty times. But when the first attempt fails, it ends
 * its whole pool, and so our process.
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

/** A client that takes a connection only when it knows the statement. */
function lateClient(db: Pool, signal: AbortSignal): Pick<PoolClient, "query" | "release"> {
  let client: PoolClient | undefined;
  async function query(statement: QueryConfig): Promise<QueryResult> {
    if (isEndOfRun(statement.text)) return retryForever(() => db.query(statement), signal);
    client ??= await db.connect();
    return client.query(statement);
  }
  return { query: query as PoolClient["query"], release: () => client?.release() };
}
