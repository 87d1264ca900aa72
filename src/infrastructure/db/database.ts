import { setMaxListeners } from "node:events";
import type { Knex } from "knex";
import type { Limiter } from "#foundation/concurrency/limiter.js";
import { retry } from "#foundation/concurrency/retry.js";
import type { Semaphore } from "#foundation/concurrency/semaphore.js";
import { Problem } from "#foundation/errors.js";
import { cancelWhenAborted } from "./cancellation.js";
import type { Connection, Connections, DatabaseSessions } from "./connection.js";
import { isConnectionLoss, isRolledBack } from "./outage.js";
import { borrowConnection, type Pool, RETRY_OPTIONS, retryReading, returnConnection } from "./query.js";

/** A pool of connections, and a separate pool for public reads. */
export interface Database extends Pool {
  readonly url: string;
  /**
   * URL of the server itself, if `url` may lead to a pooler. Features such as LISTEN and migrations need a session of
   * their own.
   */
  readonly directUrl: string;
  readonly sessions: DatabaseSessions;
  /**
   * Public reads, such as verification and eligibility, have their own connections, so that changes that hang can't
   * stop them.
   */
  readonly reads: Pool &
    Pick<Connections, "answered"> & {
      /** Returns the number of reads since the start. A batch is one read. */
      count(): number;
    };
  /** Limits streams that hold a connection for as long as their client reads. */
  readonly streams: Semaphore;
  /** Searches take turns, so that they leave the server's cores to public reads. */
  readonly searches: Limiter;
  close(): Promise<void>;
}

/**
 * Runs `work` in a transaction, which is cancelled and rolled back when the signal aborts.
 *
 * Retries `work` in a new transaction if the database rolled the transaction back because of other transactions, or the
 * connection was lost before the commit. A commit whose response was lost may have succeeded, so it is never retried.
 */
export async function inTransaction<T>(
  database: Pool,
  signal: AbortSignal,
  work: (transaction: Knex.Transaction) => Promise<T>,
  config?: Knex.TransactionConfig,
): Promise<T> {
  let isAtCommit = false;
  const isRetryable = (error: unknown) =>
    !signal.aborted && (isRolledBack(error) || (isConnectionLoss(error) && !isAtCommit));
  const attempt = async () => {
    isAtCommit = false;
    signal.throwIfAborted();
    return borrowConnection(database, async (connection) => {
      const settled = cancelWhenAborted(signal, connection);
      const running = database.knex.transaction(
        async (transaction) => {
          const result = await work(transaction);
          await settled(); // stops cancelling, because a cancelled commit may still succeed
          signal.throwIfAborted();
          isAtCommit = true;
          return result;
        },
        { ...config, connection },
      );
      return running.finally(settled);
    });
  };
  return retry(attempt, { isRetryable, ...RETRY_OPTIONS });
}

/**
 * Runs a single statement, which is a transaction of its own. Retries the statement if the database rolled it back
 * because of other transactions. Doesn't retry it if the connection was lost, because it may have been committed.
 */
export function inOneStatement<T>({ knex }: Pool, work: (knex: Knex) => Promise<T>): Promise<T> {
  return retry(() => work(knex), { isRetryable: isRolledBack, ...RETRY_OPTIONS });
}

/**
 * Extends the lock timeout of a transaction. A transaction that changes many rows often has to wait for others that
 * have locked some of these rows, and would fail after the usual timeout. The caller's deadline still applies.
 */
export async function waitForLocks(transaction: Knex.Transaction, seconds = 30): Promise<void> {
  await transaction.raw(`set local lock_timeout = '${seconds}s'`);
}

/** For work without a waiting caller, such as jobs. Only the connection's timeouts end it. */
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

/** Like `inSnapshot`, but for a search, which waits for its turn. */
export function inSearch<T>(
  database: Database,
  signal: AbortSignal,
  work: (transaction: Knex.Transaction) => Promise<T>,
): Promise<T> {
  return database.searches(signal, () => inSnapshot(database, signal, work));
}

const SNAPSHOT: Knex.TransactionConfig = { readOnly: true, isolationLevel: "repeatable read" };

export interface Query {
  readonly sql: string;
  readonly bindings: readonly unknown[];
}

/**
 * Streams a query's rows in batches from one snapshot, with constant memory. The stream holds a connection until the
 * reader stops, so `streams` of the database limits the number of streams.
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
        // If the signal has aborted while the caller used the last batch, throws the signal's reason. Otherwise, the
        // statement would throw another error.
        signal.throwIfAborted();
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

interface Cursor {
  readonly connection: Connection;
  readonly transaction: Knex.Transaction;
}

/** Opens a snapshot with the cursor `stream` over the query. */
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
    // Knex also returns a transaction that could not begin. Its error may appear only later, elsewhere.
    if (transaction.isCompleted()) throw new Error("Connection terminated before the transaction began");
    const { sql, bindings } = await prepare(transaction);
    // All rows will be fetched, so Postgres should optimise for the last row, not the first. Readers may be slow, so
    // the transaction may be idle for any time.
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
