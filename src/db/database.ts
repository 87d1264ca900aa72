import { availableParallelism } from "node:os";
import knex, { type Knex } from "knex";
import { createSemaphore, type Semaphore } from "../concurrency/semaphore.js";
import { settlesWithin } from "../concurrency/settles-within.js";
import { Problem, tooManyRequests } from "../errors.js";
import { type Connection, type Connections, connectionsTo, type Patience } from "./connection.js";
import { BUSY } from "./outage.js";

/** Connections that are lent one by one. */
export interface Pool {
  readonly knex: Knex;
}

/** The pool of connections, and a second one for what anybody may ask. */
export interface Database extends Pool {
  readonly url: string;
  /**
   * For the reads that the public waits for: verification, `configured` and eligibility. Their connections are their own, so
   * that no change that hangs, however many there are, takes verification away.
   */
  readonly reads: Pool & Pick<Connections, "answered">;
  /** For those who keep a connection for as long as somebody reads. */
  readonly streams: Semaphore;
  close(): Promise<void>;
}

/** No statement of ours takes longer. Who wants a row or a table that another holds is told so soon. */
const QUERY_PATIENCE: Patience = {
  statement: 60_000,
  lock: 2_000,
  idleInTransaction: 60_000,
  answer: 65_000,
};

/** Each of these reads takes milliseconds. One that takes longer than the answer may is asked for again elsewhere. */
const READS_PATIENCE: Patience = { statement: 10_000, lock: 1_000, idleInTransaction: 10_000, answer: 4_000 };

/** Two batches under way for each of five kinds, and two for looks: none can take the connections of another. */
const READ_CONNECTIONS = 12;

/** Whoever waits for a connection for longer gets none: for the pool to have a free one, and to make one. */
const ACQUIRE_TIMEOUT_MS = 6_000;

/** While the database refuses connections, those who wait are told one by one, each after one more try. */
const RECONNECT_MS = 100;

/** So many may wait for each connection of the pool: more would wait for longer than their callers do. */
const MAX_WAITING_PER_CONNECTION = 100;

/** What has not ended by then is cut off when the database is closed. */
const CLOSE_MS = 2_000;

/** What fails is thrown, too: Knex would also print it, among what a command answers. */
const silent = { warn() {}, error() {}, deprecate() {}, debug() {} };

/**
 * Opens pools on the Postgres at `url`; nothing is connected until the first query.
 * @param poolSize Default: 4 connections for each core, and at least 10
 */
export function openDatabase(
  url: string,
  poolSize = Math.max(10, availableParallelism() * 4),
  patience = QUERY_PATIENCE,
): Database {
  const onSilence = () => {
    for (const { connections } of pools) connections.dropIdle();
  };
  const main = openPool(connectionsTo(url, "learning-credentials", patience, onSilence), poolSize);
  const reads = openPool(
    connectionsTo(url, "learning-credentials reads", READS_PATIENCE, onSilence),
    READ_CONNECTIONS,
  );
  const pools = [main, reads];
  return {
    url,
    knex: main.knex,
    reads: { knex: reads.knex, answered: reads.connections.answered },
    // The other half answers everybody else, however slowly streams are read.
    streams: createSemaphore(Math.max(1, Math.floor(poolSize / 2))),
    async close() {
      await Promise.all(pools.map(closePool));
    },
  };
}

interface OpenPool extends Pool {
  readonly connections: Connections;
}

function openPool(connections: Connections, size: number): OpenPool {
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
    compileSqlOnError: false, // what a statement was called with may be names, which no log is to hold
  });
  pool.client.driver = connections;
  boundWaiting(pool, size);
  return { knex: pool, connections };
}

/** Knex's queue for connections has no end of its own, and Knex does not tell why none was to be had. */
function boundWaiting({ client }: Knex, size: number): void {
  const acquire = client.acquireConnection.bind(client);
  client.acquireConnection = async () => {
    const { pool } = client;
    if (pool.numPendingAcquires() >= size * MAX_WAITING_PER_CONNECTION) throw tooManyRequests();
    try {
      return await acquire();
    } catch (error) {
      const areAllInUse = pool.numUsed() === size;
      if (!(error instanceof Error && error.name === "KnexTimeoutError") || !areAllInUse) throw error;
      throw new Problem("unavailable", BUSY, { cause: error, retryAfter: 1 });
    }
  };
}

/** Knex waits for all that was lent, which may never come back. */
async function closePool({ knex: pool, connections }: OpenPool): Promise<void> {
  const closed = pool.destroy();
  if (await settlesWithin(closed, CLOSE_MS)) return;
  connections.dropAll();
  await settlesWithin(closed, CLOSE_MS);
}
