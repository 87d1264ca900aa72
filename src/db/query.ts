import type { Knex } from "knex";
import { retry } from "../concurrency/retry.js";
import { settlesWithin } from "../concurrency/settles-within.js";
import { cancelWhenAborted } from "./cancellation.js";
import type { Connection } from "./connection.js";
import type { Pool } from "./database.js";
import { isConnectionLoss, isRolledBack } from "./outage.js";

/** Rows of a statement, and how many it returned or changed. */
export interface Result<Row> {
  readonly rows: Row[];
  readonly rowCount: number;
}

/** A connection of the pool, borrowed for a few statements. */
export interface BorrowedConnection {
  readonly connection: Connection;
}

/** Where a statement runs: on any connection of the pool, in a transaction, or on a borrowed connection. */
export type Db = Knex | BorrowedConnection;

/**
 * Runs a named statement, which each connection parses and plans only once. `sql` marks its parameters with
 * `?`. A name must always stand for the same text.
 */
export async function query<Row>(
  db: Db,
  name: string,
  sql: string,
  bindings: readonly unknown[],
): Promise<Result<Row>> {
  if (typeof db === "function") return db.raw(sql, bindings as Knex.RawBinding[]).options({ name });
  // Knex would take as long to prepare a finished statement as Postgres takes to run it.
  const { rows, rowCount } = await db.connection.query({
    name,
    text: numbered(name, sql),
    values: bindings as unknown[],
  });
  return { rows, rowCount: rowCount ?? 0 };
}

/** Statements by name, with parameters in Postgres notation. */
const texts = new Map<string, string>();

function numbered(name: string, sql: string): string {
  let text = texts.get(name);
  if (text === undefined) {
    let count = 0;
    text = sql.replace(/\?/g, () => `$${++count}`);
    texts.set(name, text);
  }
  return text;
}

/** Time for a returned connection to finish its statement or transaction. */
const END_MS = 1_000;

/** Postgres takes a second to detect a deadlock. */
export const RETRY_OPTIONS = { pauseMs: 20, forMs: 10_000 };

/**
 * Runs reads on a borrowed connection, without a transaction. When the signal aborts, the statement is
 * cancelled. If the connection is lost, the work is retried on another one: after a restart of the database,
 * pooled connections may be dead unnoticed.
 */
export function withConnection<T>(
  pool: Pool,
  signal: AbortSignal,
  work: (connection: BorrowedConnection) => Promise<T>,
): Promise<T> {
  return retryReading(signal, () =>
    borrowConnection(pool, async (connection) => {
      signal.throwIfAborted();
      const settled = cancelWhenAborted(signal, connection);
      const result = await work({ connection }).finally(settled);
      signal.throwIfAborted();
      return result;
    }),
  );
}

/** Retries reads after a lost connection, or after the database has rolled them back because of others. */
export function retryReading<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const mayPass = (error: unknown) => !signal.aborted && (isConnectionLoss(error) || isRolledBack(error));
  return retry(work, { mayPass, ...RETRY_OPTIONS });
}

/** Borrows a connection of the pool for the duration of `work`. */
export async function borrowConnection<T>(
  { knex }: Pool,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection: Connection = await knex.client.acquireConnection();
  try {
    return await work(connection);
  } finally {
    await returnConnection(knex, connection);
  }
}

/**
 * Destroys a connection that is returned in the middle of something and does not finish: its next user would
 * wait for that.
 */
export async function returnConnection({ client }: Knex, connection: Connection): Promise<void> {
  if (!connection.isIdle) {
    await settlesWithin(connection.answered(), END_MS); // the error precedes the end of the failed statement
    if (!connection.isIdle) connection.destroy();
  }
  await client.releaseConnection(connection);
}
