import { availableParallelism } from "node:os";
import knex, { type Knex } from "knex";
import pg from "pg";

/** The pool of connections, and a second one that only cancels statements, so that it is never waited for. */
export interface Database {
  readonly url: string;
  readonly knex: Knex;
  /** Asks Postgres to cancel what the backend with this process id is running. */
  cancel(processId: number): Promise<void>;
  close(): Promise<void>;
}

/** No statement of ours takes longer; a stuck one must not hold its connection for ever. */
const STATEMENT_TIMEOUT_MS = 60_000;

/** `bigint` values of ours are identifiers and counts below 2^53. */
const types = {
  getTypeParser(oid: number, format?: "text" | "binary") {
    if (oid === pg.types.builtins.INT8 && format !== "binary") return Number;
    return pg.types.getTypeParser(oid, format as "text");
  },
};

/** Opens a pool on the Postgres at `url`; nothing is connected until the first query. */
export function openDatabase(url: string, poolSize = Math.max(10, availableParallelism() * 4)): Database {
  const pool = knex({
    client: "pg",
    connection: {
      connectionString: url,
      application_name: "learning-credentials",
      statement_timeout: STATEMENT_TIMEOUT_MS,
      types,
    } as Knex.PgConnectionConfig,
    pool: { min: 0, max: poolSize },
    acquireConnectionTimeout: 10_000,
  });
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
    async cancel(processId) {
      await canceller.query("select pg_cancel_backend($1)", [processId]);
    },
    async close() {
      await pool.destroy();
      await canceller.end();
    },
  };
}
