import { availableParallelism } from "node:os";
import knex, { type Knex } from "knex";
import { createLimiter, type Limiter } from "#foundation/concurrency/limiter.js";
import { createSemaphore, type Semaphore } from "#foundation/concurrency/semaphore.js";
import { settlesWithin } from "#foundation/concurrency/settles-within.js";
import { Problem, tooManyRequests } from "#foundation/errors.js";
import {
  type Connection,
  type Connections,
  connectionsTo,
  type Sessions,
  type Timeouts,
} from "./connection.js";
import { BUSY } from "./outage.js";

/** A pool of connections. */
export interface Pool {
  readonly knex: Knex;
}

/** The pool of connections, and a second one for public reads. */
export interface Database extends Pool {
  readonly url: string;
  /** The server itself, where `url` may lead to a pooler: for what needs a session, such as LISTEN and migrations. */
  readonly directUrl: string;
  readonly sessions: Sessions;
  /**
   * For reads that the public waits for: verification, `configured` and eligibility. They have connections of
   * their own, so that no number of hanging changes can stop verification.
   */
  readonly reads: Pool &
    Pick<Connections, "answered"> & {
      /** How many have started so far; those that are answered together count as one. */
      count(): number;
    };
  /** Limits readers that hold a connection for as long as they read. */
  readonly streams: Semaphore;
  /** Lets searches take turns, so that they leave the server's cores to what the public waits for. */
  readonly searches: Limiter;
  close(): Promise<void>;
}

/** No statement of ours takes longer. A statement that needs a locked row or table fails soon. */
const QUERY_TIMEOUTS: Timeouts = {
  statement: 60_000,
  lock: 2_000,
  idleInTransaction: 60_000,
  answer: 65_000,
};

/**
 * Each of these reads takes milliseconds. One that exceeds the answer timeout is retried on another
 * connection.
 */
const READS_TIMEOUTS: Timeouts = { statement: 10_000, lock: 1_000, idleInTransaction: 10_000, answer: 4_000 };

/**
 * Two batches in flight for each of five kinds, and two for checks, so that none can use up the connections
 * of another.
 */
export const READ_CONNECTIONS = 12;

/** Timeout for getting a connection: until the pool has a free one, and for opening a new one. */
const ACQUIRE_TIMEOUT_MS = 6_000;

/** While the database refuses connections, waiting callers fail one by one, each after one more attempt. */
const RECONNECT_MS = 100;

/** Queue limit per pooled connection: beyond it, callers would time out before their turn. */
const MAX_WAITING_PER_CONNECTION = 100;

/** One search at a time for so many connections: for two cores, if the size of the pool is the default. */
const CONNECTIONS_PER_SEARCH = 8;

/** A search that takes longer, in milliseconds, holds up no other. */
const SLOW_SEARCH_MS = 100;

/** When the database is closed, connections that have not ended by then are cut off. */
const CLOSE_MS = 2_000;

/** Failures are thrown anyway. Knex would also print them into the output of a command. */
const silent = { warn() {}, error() {}, deprecate() {}, debug() {} };

/**
 * Opens pools for the Postgres at `url`; the first query connects.
 * @param poolSize Default: 4 connections per core, and at least 10
 * @param directUrl the server itself, if `url` leads to a pooler that changes sessions. Default: it leads to a server
 */
export function openDatabase(
  url: string,
  poolSize = Math.max(10, availableParallelism() * 4),
  timeouts = QUERY_TIMEOUTS,
  directUrl?: string,
): Database {
  const isDirect = directUrl === undefined;
  const sessions: Sessions = { arePersistent: isDirect, arePrepared: isDirect };
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
    // The other half serves everyone else, however slowly streams are read.
    streams: createSemaphore(Math.max(1, Math.floor(poolSize / 2))),
    searches: createLimiter(Math.max(1, Math.floor(poolSize / CONNECTIONS_PER_SEARCH)), SLOW_SEARCH_MS),
    async close() {
      await Promise.all(pools.map(closePool));
    },
  };
}

/** A pool of ours, with its connections. */
export interface OpenPool extends Pool {
  readonly connections: Connections;
}

/** Opens a pool; the first query connects. */
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
  boundWaiting(pool, size);
  return { knex: pool, connections };
}

/** Bounds Knex's queue for connections, which has no limit, and explains why no connection was available. */
function boundWaiting({ client }: Knex, size: number): void {
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

/** Knex waits for all borrowed connections, which may never come back. */
export async function closePool({ knex: pool, connections }: OpenPool): Promise<void> {
  const closed = pool.destroy();
  if (await settlesWithin(closed, CLOSE_MS)) return;
  connections.dropAll();
  await settlesWithin(closed, CLOSE_MS);
}
