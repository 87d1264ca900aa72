import { availableParallelism } from "node:os";
import knex, { type Knex } from "knex";
import { createLimiter } from "#foundation/concurrency/limiter.js";
import { createSemaphore } from "#foundation/concurrency/semaphore.js";
import { settlesWithin } from "#foundation/concurrency/settles-within.js";
import { Problem, tooManyRequests } from "#foundation/errors.js";
import {
  type Connection,
  type Connections,
  connectionsTo,
  type DatabaseSessions,
  type Timeouts,
} from "./connection.js";
import type { Database } from "./database.js";
import { BUSY } from "./outage.js";
import type { Pool } from "./query.js";

/** In milliseconds. No statement of this service takes a minute. Waiting for a lock ends much sooner. */
const QUERY_TIMEOUTS: Timeouts = {
  statement: 60_000,
  lock: 2_000,
  idleInTransaction: 60_000,
  answer: 65_000,
};

/** A public read takes milliseconds. A read that exceeds the answer timeout is retried on another connection. */
const READS_TIMEOUTS: Timeouts = { statement: 10_000, lock: 1_000, idleInTransaction: 10_000, answer: 4_000 };

/**
 * Number of connections for public reads. Each kind of read uses at most two at a time (see `batch-loader.ts`), so that
 * no kind can use up all connections.
 */
export const READ_CONNECTIONS = 12;

/** Timeout for getting a connection: until the pool has a free connection, or has opened a new one. */
const ACQUIRE_TIMEOUT_MS = 6_000;

/**
 * Pause between attempts to open a connection. While the database rejects connections, each attempt makes one waiting
 * caller fail.
 */
const RECONNECT_MS = 100;

/** Maximum length of the queue per connection. Further callers would time out before their turn. */
const MAX_WAITING_PER_CONNECTION = 100;

/** Number of connections per concurrent search. With the default pool size, there is one search for every two cores. */
const CONNECTIONS_PER_SEARCH = 8;

/** Time after which a search no longer blocks the next one. */
const SLOW_SEARCH_MS = 100;

/** When the database is closed, connections that are still open after this time are destroyed. */
const CLOSE_MS = 2_000;

/** Disables Knex's log. Errors are thrown anyway, and Knex would also print them into the output of a command. */
const silent = { warn() {}, error() {}, deprecate() {}, debug() {} };

/**
 * Opens a database. The first query connects.
 * @param poolSize default: 4 connections per core, and at least 10
 * @param directUrl URL of the server itself, if `url` leads to a pooler that changes sessions. Default: `url`
 */
export function openDatabase(
  url: string,
  poolSize = Math.max(10, availableParallelism() * 4),
  timeouts = QUERY_TIMEOUTS,
  directUrl?: string,
): Database {
  const isDirect = directUrl === undefined;
  const sessions: DatabaseSessions = { arePersistent: isDirect, arePrepared: isDirect };
  const onSilence = () => {
    for (const { connections } of pools) connections.dropIdle();
  };
  const main = openPool(connectionsTo(url, "learning-credentials", timeouts, onSilence, sessions), poolSize);
  const reads = openPool(
    connectionsTo(url, "learning-credentials reads", READS_TIMEOUTS, onSilence, sessions),
    READ_CONNECTIONS,
  );
  const pools = [main, reads];
  let readCount = 0;
  reads.knex.client.pool.on("acquireRequest", () => readCount++);
  return {
    url,
    directUrl: directUrl ?? url,
    sessions,
    knex: main.knex,
    reads: { knex: reads.knex, answered: reads.connections.answered, count: () => readCount },
    // The other half of the connections serves all other requests, however slowly streams are read.
    streams: createSemaphore(Math.max(1, Math.floor(poolSize / 2))),
    searches: createLimiter(Math.max(1, Math.floor(poolSize / CONNECTIONS_PER_SEARCH)), SLOW_SEARCH_MS),
    async close() {
      await Promise.all(pools.map(closePool));
    },
  };
}

interface OpenPool extends Pool {
  readonly connections: Connections;
}

export function openPool(connections: Connections, size: number): OpenPool {
  const pool = knex({
    client: "pg",
    connection: connections.settings as Knex.PgConnectionConfig,
    pool: {
      min: 0,
      max: size,
      createRetryIntervalMillis: RECONNECT_MS,
      validate: ({ isFit }: Connection) => isFit,
    },
    acquireConnectionTimeout: ACQUIRE_TIMEOUT_MS,
    log: silent,
    compileSqlOnError: false, // bindings of statements may be names, which must not get into a log
  });
  pool.client.driver = connections;
  limitQueue(pool, size);
  return { knex: pool, connections };
}

/** Limits Knex's queue for connections, and explains why no connection was available. */
function limitQueue({ client }: Knex, size: number): void {
  const acquire = client.acquireConnection.bind(client);
  client.acquireConnection = async () => {
    const { pool } = client;
    if (pool.numPendingAcquires() >= size * MAX_WAITING_PER_CONNECTION)
      throw tooManyRequests({ outage: "database", reason: "OVERLOADED" });
    try {
      return await acquire();
    } catch (error) {
      const areAllInUse = pool.numUsed() === size;
      if (!(error instanceof Error && error.name === "KnexTimeoutError") || !areAllInUse) throw error;
      throw new Problem("unavailable", BUSY, { cause: error, retryAfter: 1, outage: "database" });
    }
  };
}

/** Closes a pool within a time limit. Knex would wait for all borrowed connections, which may never be returned. */
export async function closePool({ knex: pool, connections }: OpenPool): Promise<void> {
  const closed = pool.destroy();
  if (await settlesWithin(closed, CLOSE_MS)) return;
  connections.dropAll();
  await settlesWithin(closed, CLOSE_MS);
}
