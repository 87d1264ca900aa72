import { availableParallelism } from "node:os";
import knex, { type Knex } from "knex";
import pg from "pg";
import { tooManyRequests } from "../errors.js";
import { createPlaces, type Places } from "../places.js";

/** The pool of connections, and a second one that only cancels statements, so that it is never waited for. */
export interface Database {
  readonly url: string;
  readonly knex: Knex;
  /** For those who keep a connection for as long as somebody reads. */
  readonly streams: Places;
  /** Asks Postgres to cancel what the backend with this process id is running. */
  cancel(processId: number): Promise<void>;
  close(): Promise<void>;
}

/** No statement of ours takes longer; a stuck one must not hold its connection for ever. */
const STATEMENT_TIMEOUT_MS = 60_000;

/** Who waits for a connection for longer does not get one: for the pool to have a free one, and to make one. */
const ACQUIRE_TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 10_000;

/** While the database refuses connections, those who wait are told one by one, each after one more try. */
const CONNECT_AGAIN_MS = 100;

/** So many may wait for each connection of the pool: more would wait for longer than their callers do. */
const WAITING_PER_CONNECTION = 100;

/** What fails is thrown, too: Knex would also print it, among what a command answers. */
const silent = { warn() {}, error() {}, deprecate() {}, debug() {} };

/** `bigint` values of ours are identifiers and counts below 2^53. */
const types = {
  getTypeParser(oid: number, format?: "text" | "binary") {
    if (oid === pg.types.builtins.INT8 && format !== "binary") return Number;
    return pg.types.getTypeParser(oid, format as "text");
  },
};

/**
 * Opens a pool on the Postgres at `url`; nothing is connected until the first query.
 * @param poolSize Default: 4 connections for each core, and at least 10
 */
export function openDatabase(url: string, poolSize = Math.max(10, availableParallelism() * 4)): Database {
  const pool = knex({
    client: "pg",
    connection: {
      connectionString: url,
      application_name: "learning-credentials",
      statement_timeout: STATEMENT_TIMEOUT_MS,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      types,
    } as Knex.PgConnectionConfig,
    pool: { min: 0, max: poolSize, createRetryIntervalMillis: CONNECT_AGAIN_MS },
    acquireConnectionTimeout: ACQUIRE_TIMEOUT_MS,
    log: silent,
    compileSqlOnError: false, // what a statement was called with may be names, which no log is to hold
  });
  boundWaiting(pool, poolSize * WAITING_PER_CONNECTION);
  const canceller = new pg.Pool({
    connectionString: url,
    max: 2,
    idleTimeoutMillis: 10_000,
    connectionTimeoutMillis: 5_000,
    allowExitOnIdle: true,
  });
  canceller.on("error", () => {}); // an idle connection that broke is replaced at the next use
  return {
    url,
    knex: pool,
    // The other half answers everybody else, however slowly streams are read.
    streams: createPlaces(Math.max(1, Math.floor(poolSize / 2))),
    async cancel(processId) {
      await canceller.query("select pg_cancel_backend($1)", [processId]);
    },
    async close() {
      await pool.destroy();
      await canceller.end();
    },
  };
}

/** Knex's queue for connections has no end of its own. */
function boundWaiting({ client }: Knex, most: number): void {
  const acquire = client.acquireConnection.bind(client);
  client.acquireConnection = async () => {
    if (client.pool.numPendingAcquires() < most) return acquire();
    throw tooManyRequests();
  };
}
