import type { Knex } from "knex";
import { Problem } from "../errors.js";
import { retry } from "../retry.js";
import { type Backend, cancelledWith } from "./cancellation.js";
import type { Database } from "./database.js";
import { isConnectionLoss, isRolledBack } from "./outage.js";
import { RETRIES, retryReading } from "./run.js";

/**
 * Runs `work` in one transaction, which is cancelled and rolled back when the signal aborts.
 *
 * `work` is run again, in a new transaction, when the database has rolled back this one because of others, or when the
 * connection was lost before the commit. A commit whose answer was lost may have come about: it is never tried again.
 */
export async function inTransaction<T>(
  database: Database,
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
    return database.knex.transaction(async (transaction) => {
      const backend = await backendOf(transaction);
      const result = await cancelledWith(database, signal, backend, () => work(transaction));
      isAtCommit = true;
      return result;
    }, config);
  };
  return retry(attempt, { mayPass, ...RETRIES });
}

/** The same for reading: one snapshot for all its statements. */
export function inSnapshot<T>(
  database: Database,
  signal: AbortSignal,
  work: (transaction: Knex.Transaction) => Promise<T>,
): Promise<T> {
  return inTransaction(database, signal, work, SNAPSHOT);
}

const SNAPSHOT: Knex.TransactionConfig = { readOnly: true, isolationLevel: "repeatable read" };

/** A piece of SQL with its bindings. */
export interface Query {
  readonly sql: string;
  readonly bindings: readonly unknown[];
}

/**
 * Reads what a query gives, batch after batch, in one snapshot: memory stays flat however many rows there are. It holds a
 * connection until its reader has had enough: that is what `streams` of the database bounds.
 * @param prepare makes the query from what it reads in the same snapshot
 * @throws Problem `overloaded` while there are too many of them
 */
export async function* streamSnapshot<Row>(
  database: Database,
  signal: AbortSignal,
  batchSize: number,
  prepare: (transaction: Knex.Transaction) => Promise<Query>,
): AsyncGenerator<Row[]> {
  signal.throwIfAborted();
  if (!database.streams.take()) {
    throw new Problem("overloaded", "Too many such streams are read at once: try again when one has ended.", {
      retryAfter: 10,
    });
  }
  try {
    const open = () => openCursor(database, signal, prepare);
    const { transaction, backend } = await retryReading(signal, open);
    try {
      for (;;) {
        const fetch = async () => transaction.raw(`fetch ${batchSize} from stream`);
        const { rows } = await cancelledWith(database, signal, backend, fetch);
        if (rows.length === 0) return;
        yield rows;
      }
    } finally {
      await transaction.rollback();
    }
  } finally {
    database.streams.giveBack();
  }
}

/** Opens the snapshot, and in it the cursor `stream` over the query. */
async function openCursor(
  database: Database,
  signal: AbortSignal,
  prepare: (transaction: Knex.Transaction) => Promise<Query>,
): Promise<{ transaction: Knex.Transaction; backend: Backend }> {
  const transaction = await database.knex.transaction(SNAPSHOT);
  try {
    const backend = await backendOf(transaction);
    await cancelledWith(database, signal, backend, async () => {
      const { sql, bindings } = await prepare(transaction);
      // All rows are going to be fetched: plan for the last one, not for the first.
      await transaction.raw("set local cursor_tuple_fraction = 1");
      await transaction.raw(`declare stream no scroll cursor for ${sql}`, bindings as Knex.RawBinding[]);
    });
    return { transaction, backend };
  } catch (error) {
    await transaction.rollback();
    throw error;
  }
}

/** Knex hands out a transaction, too, that could not even begin: what it says of it elsewhere may come later. */
async function backendOf(transaction: Knex.Transaction): Promise<Backend> {
  if (transaction.isCompleted()) throw new Error("Connection terminated before the transaction began");
  return (await transaction.client.acquireConnection()) as Backend;
}
