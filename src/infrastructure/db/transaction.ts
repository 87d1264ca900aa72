import { setMaxListeners } from "node:events";
import type { Knex } from "knex";
import { retry } from "#foundation/concurrency/retry.js";
import { Problem } from "#foundation/errors.js";
import { cancelWhenAborted } from "./cancellation.js";
import type { Connection } from "./connection.js";
import type { Database, Pool } from "./database.js";
import { isConnectionLoss, isRolledBack } from "./outage.js";
import { borrowConnection, RETRY_OPTIONS, retryReading, returnConnection } from "./query.js";

/**
 * Runs `work` in a transaction, which is cancelled and rolled back when the signal aborts.
 *
 * It retries `work` in a new transaction if the database rolled this one back because of others, or the connection was
 * lost before the commit. A commit whose response was lost may have succeeded, so it is never retried.
 */
export async function inTransaction<T>(
  database: Pool,
  signal: AbortSignal,
  work: (transaction: Knex.Transaction) => Promise<T>,
  config?: Knex.TransactionConfig,
): Promise<T> {
  let isAtCommit = false;
  const mayPass = (error: unknown) =>
    !signal.aborted && (isRolledBack(error) || (isConnectionLoss(error) && !isAtCommit));
  const attempt = async () => {
    isAtCommit = false;
    signal.throwIfAborted();
    return borrowConnection(database, async (connection) => {
      const settled = cancelWhenAborted(signal, connection);
      const begun = database.knex.transaction(
        async (transaction) => {
          const result = await work(transaction);
          await settled(); // a cancelled commit may still succeed
          signal.throwIfAborted();
          isAtCommit = true;
          return result;
        },
        { ...config, connection },
      );
      return begun.finally(settled);
    });
  };
  return retry(attempt, { mayPass, ...RETRY_OPTIONS });
}

/**
 * Runs a single statement, which is a transaction of its own. It is retried if the database rolled it back because of
 * others, but not if the connection was lost, because it may have been committed.
 */
export function inOneStatement<T>({ knex }: Pool, work: (knex: Knex) => Promise<T>): Promise<T> {
  return retry(() => work(knex), { mayPass: isRolledBack, ...RETRY_OPTIONS });
}

/**
 * Extends the transaction's lock timeout. A transaction that changes many rows often has to wait for others that have
 * locked some of them, and would otherwise be restarted. The caller's deadline still applies.
 */
export async function waitForLocks(transaction: Knex.Transaction, seconds = 30): Promise<void> {
  await transaction.raw(`set local lock_timeout = '${seconds}s'`);
}

/** Never aborts. For work without a waiting caller, such as jobs: only the connection's timeouts end it. */
export const NEVER_ABORTS: AbortSignal = new AbortController().signal;
setMaxListeners(0, NEVER_ABORTS); // every open transaction adds a listener

/** Runs reads in one transaction with a single snapshot. */
export function inSnapshot<T>(
  database: Pool,
  signal: AbortSignal,
  work: (transaction: Knex.Transaction) => Promise<T>,
): Promise<T> {
  return inTransaction(database, signal, work, SNAPSHOT);
}

/** Does the same as `inSnapshot` for a search, after waiting for its turn. */
export function inSearch<T>(
  database: Database,
  signal: AbortSignal,
  work: (transaction: Knex.Transaction) => Promise<T>,
): Promise<T> {
  return database.searches(signal, () => inSnapshot(database, signal, work));
}

const SNAPSHOT: Knex.TransactionConfig = { readOnly: true, isolationLevel: "repeatable read" };

/** A piece of SQL with its bindings. */
export interface Query {
  readonly sql: string;
  readonly bindings: readonly unknown[];
}

/**
 * Streams a query's rows in batches from one snapshot, so that memory use is constant. It holds a connection until the
 * reader stops, which is why `streams` of the database limits it.
 * @param prepare builds the query from reads in the same snapshot
 * @throws Problem `overloaded` if there are too many streams
 */
export async function* streamSnapshot<Row>(
  database: Database,
  signal: AbortSignal,
  batchSize: number,
  prepare: (transaction: Knex.Transaction) => Promise<Query>,
): AsyncGenerator<Row[]> {
  signal.throwIfAborted();
  if (!database.streams.tryAcquire()) {
    throw new Problem("overloaded", "Too many streams of this kind are open: try again when one has ended.", {
      retryAfter: 10,
    });
  }
  try {
    const { connection, transaction } = await retryReading(signal, () =>
      openCursor(database, signal, prepare),
    );
    try {
      for (;;) {
        signal.throwIfAborted(); // aborted while the last batch was read: throws the reason of the signal, not the error of the cancelled statement
        const settled = cancelWhenAborted(signal, connection);
        const { rows } = await transaction.raw(`fetch ${batchSize} from stream`).finally(settled);
        signal.throwIfAborted();
        if (rows.length === 0) return;
        yield rows;
      }
    } finally {
      await closeCursor(database, connection, transaction);
    }
  } finally {
    database.streams.release();
  }
}

/** A snapshot with the open cursor `stream`. */
interface Cursor {
  readonly connection: Connection;
  readonly transaction: Knex.Transaction;
}

/** Opens the snapshot, and a cursor over the query. */
async function openCursor(
  database: Database,
  signal: AbortSignal,
  prepare: (transaction: Knex.Transaction) => Promise<Query>,
): Promise<Cursor> {
  const connection: Connection = await database.knex.client.acquireConnection();
  const settled = cancelWhenAborted(signal, connection);
  let transaction: Knex.Transaction | undefined;
  try {
    transaction = await database.knex.transaction({ ...SNAPSHOT, connection });
    // Knex also returns a transaction that could not begin; its error may only appear later elsewhere.
    if (transaction.isCompleted()) throw new Error("Connection terminated before the transaction began");
    const { sql, bindings } = await prepare(transaction);
    // All rows will be fetched, so optimise for the last row, not the first. Readers may take their time.
    await transaction.raw(
      "set local cursor_tuple_fraction = 1; set local idle_in_transaction_session_timeout = 0",
    );
    await transaction.raw(`declare stream no scroll cursor for ${sql}`, bindings as Knex.RawBinding[]);
    await settled();
    signal.throwIfAborted();
    return { connection, transaction };
  } catch (error) {
    await settled();
    await closeCursor(database, connection, transaction);
    throw error;
  }
}

async function closeCursor(
  { knex }: Database,
  connection: Connection,
  transaction: Knex.Transaction | undefined,
): Promise<void> {
  try {
    await transaction?.rollback();
  } finally {
    await returnConnection(knex, connection);
  }
}
