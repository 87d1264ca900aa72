import type { Knex } from "knex";
import { retry } from "../concurrency/retry.js";
import { settlesWithin } from "../concurrency/settles-within.js";
import { cancelWhenAborted } from "./cancellation.js";
import type { Connection } from "./connection.js";
import type { Pool } from "./database.js";
import { isConnectionLoss, isRolledBack } from "./outage.js";

/** What a statement gave: its rows, and how many it returned or changed. */
export interface Result<Row> {
  readonly rows: Row[];
  readonly rowCount: number;
}

/** One connection of the pool, borrowed for a few statements. */
export interface BorrowedConnection {
  readonly connection: Connection;
}

/** Where a statement runs: on any connection of the pool, in a transaction, or on a leased connection. */
export type Db = Knex | BorrowedConnection;

/**
 * Runs a statement under a name: each connection parses and plans it once. `sql` marks its parameters with `?`.
 * One name must always stand for the same text.
 */
export async function query<Row>(
  db: Db,
  name: string,
  sql: string,
  bindings: readonly unknown[],
): Promise<Result<Row>> {
  if (typeof db === "function") return db.raw(sql, bindings as Knex.RawBinding[]).options({ name });
  // Knex would take as long as Postgres to prepare what is ready to be sent.
  const { rows, rowCount } = await db.connection.query({
    name,
    text: numbered(name, sql),
    values: bindings as unknown[],
  });
  return { rows, rowCount: rowCount ?? 0 };
}

/** Statements with their parameters as Postgres wants them, by name. */
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

/** What is left of a statement or a transaction may take so long to end. */
const END_MS = 1_000;

/** It takes Postgres a second to find a deadlock. */
export const RETRY_OPTIONS = { pauseMs: 20, forMs: 10_000 };

/**
 * Runs `work`, which only reads, on a connection of its own, without a transaction; when the signal aborts, its statement
 * is cancelled. Work whose connection is lost is done again on another one: after a restart of the database, connections
 * of the pool may be dead without its knowing.
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

/** Does work that changes nothing again when its connection is lost, or the database has broken it off because of others. */
export function retryReading<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const mayPass = (error: unknown) => !signal.aborted && (isConnectionLoss(error) || isRolledBack(error));
  return retry(work, { mayPass, ...RETRY_OPTIONS });
}

/** Lends a connection of the pool. */
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

/** One that comes back in the middle of something, and does not end it, is given up: its next user would wait for that. */
export async function returnConnection({ client }: Knex, connection: Connection): Promise<void> {
  if (!connection.isIdle) {
    await settlesWithin(connection.answered(), END_MS); // an error comes before the end of what has failed
    if (!connection.isIdle) connection.destroy();
  }
  await client.releaseConnection(connection);
}
