import { createHash } from "node:crypto";
import type { Knex } from "knex";
import { createBoundedCache } from "#foundation/concurrency/bounded-cache.js";
import { retry } from "#foundation/concurrency/retry.js";
import { settlesWithin } from "#foundation/concurrency/settles-within.js";
import { cancelWhenAborted } from "./cancellation.js";
import type { Connection } from "./connection.js";
import { isConnectionLoss, isRolledBack } from "./outage.js";

/** Connections to the database; `Knex.Transaction` is a transaction. Only this folder uses Knex itself. */
export type { Knex };

export interface Pool {
  readonly knex: Knex;
}

/** Rows of a statement, and the number of rows that it returned or changed. */
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

/** Values of the parameters, in the order of `?`, or by name for `:name`. Knex also accepts `??` for a column. */
type Bindings = readonly unknown[] | Readonly<Record<string, unknown>>;

/** Runs a statement and returns its rows. `Row` declares the names and types of the columns, which are not checked. */
export async function queryRows<Row extends object>(
  db: Knex,
  sql: string,
  bindings?: Bindings,
): Promise<Row[]> {
  const { rows } = await run<Row>(db, sql, bindings);
  return rows;
}

export async function queryRow<Row extends object>(
  db: Knex,
  sql: string,
  bindings?: Bindings,
): Promise<Row | undefined> {
  const [row] = await queryRows<Row>(db, sql, bindings);
  return row;
}

/** Runs a statement that always returns a row, for example a count. @throws Error if there is no row */
export async function queryRowOrThrow<Row extends object>(
  db: Knex,
  sql: string,
  bindings?: Bindings,
): Promise<Row> {
  const row = await queryRow<Row>(db, sql, bindings);
  if (!row) throw new Error(`This statement should have returned a row, but returned none: ${sql}`);
  return row;
}

/** Runs a statement with one column. */
export async function queryValues<Value>(db: Knex, sql: string, bindings?: Bindings): Promise<Value[]> {
  const rows = await queryRows<Readonly<Record<string, Value>>>(db, sql, bindings);
  return rows.flatMap((row) => Object.values(row));
}

/** Runs a statement that always returns one value, for example a count. @throws Error if there is no row */
export async function queryValue<Value>(db: Knex, sql: string, bindings?: Bindings): Promise<Value> {
  const row = await queryRowOrThrow<Readonly<Record<string, Value>>>(db, sql, bindings);
  return Object.values(row)[0] as Value;
}

/** Returns the number of rows that were changed or returned. */
export async function execute(db: Knex, sql: string, bindings?: Bindings): Promise<number> {
  const { rowCount } = await run(db, sql, bindings);
  return rowCount ?? 0; // Postgres reports no number for commands such as `lock table`
}

/** Returns whether any row was changed or found. */
export async function hasRows(db: Knex, sql: string, bindings?: Bindings): Promise<boolean> {
  return (await execute(db, sql, bindings)) > 0;
}

interface RawResult<Row> {
  readonly rows: Row[];
  readonly rowCount: number | null;
}

function run<Row>(db: Knex, sql: string, bindings: Bindings | undefined): Knex.Raw<RawResult<Row>> {
  // Knex's own type supports neither `readonly` nor everything that the driver accepts.
  return db.raw(sql, bindings as Knex.ValueDict);
}

/**
 * Runs a statement that each connection parses and plans only once. `sql` marks its parameters with `?`, and writes the
 * operator `?` as `\\?`.
 * @param label prefix for the name of the prepared statement
 */
export async function query<Row>(
  db: Db,
  label: string,
  sql: string,
  bindings: readonly unknown[],
): Promise<Result<Row>> {
  const { name, text, parameters } = prepare(label, sql);
  if (parameters !== bindings.length)
    throw new Error(
      `${label} has ${parameters} parameters and ${bindings.length} values: write the operator ? as \\\\?`,
    );
  if (typeof db === "function") return db.raw(sql, bindings as Knex.RawBinding[]).options({ name });
  // Calls the driver directly, because Knex would take as long to process the statement as Postgres takes to run it.
  const { rows, rowCount } = await db.connection.query({ name, text, values: bindings as unknown[] });
  return { rows, rowCount: rowCount ?? 0 };
}

/** A statement with parameters in Postgres notation, under a name that is unique to its text. */
interface Prepared {
  readonly name: string;
  readonly text: string;
  readonly parameters: number;
}

/** Prepared statements by their SQL. */
const statements = createBoundedCache<Prepared>(1000);

function prepare(label: string, sql: string): Prepared {
  return statements(sql, () => {
    let parameters = 0;
    const text = sql.replace(/\\?\?/g, (mark) => (mark === "?" ? `$${++parameters}` : "?"));
    const digest = createHash("sha256").update(sql).digest("hex").slice(0, 16);
    return { name: `${label}_${digest}`, text, parameters };
  });
}

/** Time for a returned connection to finish its statement or transaction. */
const END_MS = 1_000;

/** Allows ten seconds, because Postgres takes a second to detect a deadlock. */
export const RETRY_OPTIONS = { pauseMs: 20, forMs: 10_000 };

/**
 * Runs reads on a borrowed connection, without a transaction. When the signal aborts, the statement is cancelled. If
 * the connection is lost, the work is retried on another connection, because pooled connections may be dead after a
 * restart of the database.
 */
export function withConnection<T>(
  pool: Pool,
  signal: AbortSignal,
  work: (connection: BorrowedConnection) => Promise<T>,
): Promise<T> {
  return retryReading(signal, () => onConnection(pool, signal, work));
}

/** Runs work on a connection of the pool, without retries. */
function onConnection<T>(
  pool: Pool,
  signal: AbortSignal,
  work: (connection: BorrowedConnection) => Promise<T>,
): Promise<T> {
  return borrowConnection(pool, async (connection) => {
    signal.throwIfAborted();
    const settled = cancelWhenAborted(signal, connection);
    const result = await work({ connection }).finally(settled);
    signal.throwIfAborted();
    return result;
  });
}

/** Retries reads after a lost connection, or after the database has rolled them back because of other transactions. */
export function retryReading<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const isRetryable = (error: unknown) => !signal.aborted && (isConnectionLoss(error) || isRolledBack(error));
  return retry(work, { isRetryable, ...RETRY_OPTIONS });
}

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
 * Returns a connection to the pool. Destroys the connection if it does not finish its statement or transaction, because
 * the next user would have to wait.
 */
export async function returnConnection({ client }: Knex, connection: Connection): Promise<void> {
  if (!connection.isIdle) {
    await settlesWithin(connection.answered(), END_MS); // after a failed statement, the server is not ready immediately
    if (!connection.isIdle) connection.destroy();
  }
  await client.releaseConnection(connection);
}
