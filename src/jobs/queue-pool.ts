import type { Pool, PoolClient, QueryConfig, QueryResult } from "pg";
import { retryForever } from "../concurrency/retry-forever.js";
import { isEndOfRun } from "./queue-store.js";

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
    if (isEndOfRun(statement.text)) return retryForever(() => db.query(statement), signal);
    client ??= await db.connect();
    return client.query(statement);
  }
  return { query: query as PoolClient["query"], release: () => client?.release() };
}
