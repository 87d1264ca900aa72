import type { Knex } from "knex";
import { type Backend, cancelledWith } from "./cancellation.js";
import type { Database } from "./database.js";

/** Runs `work` in one transaction, which is cancelled and rolled back when the signal aborts. */
export async function inTransaction<T>(
  database: Database,
  signal: AbortSignal,
  work: (transaction: Knex.Transaction) => Promise<T>,
  config?: Knex.TransactionConfig,
): Promise<T> {
  signal.throwIfAborted();
  return database.knex.transaction(async (transaction) => {
    const backend = (await transaction.client.acquireConnection()) as Backend;
    return cancelledWith(database, signal, backend, () => work(transaction));
  }, config);
}

/** The same for reading: one snapshot for all its statements. */
export function inSnapshot<T>(
  database: Database,
  signal: AbortSignal,
  work: (transaction: Knex.Transaction) => Promise<T>,
): Promise<T> {
  return inTransaction(database, signal, work, { readOnly: true, isolationLevel: "repeatable read" });
}

/** A piece of SQL with its bindings. */
export interface Query {
  readonly sql: string;
  readonly bindings: readonly unknown[];
}

/**
 * Reads what a query gives, batch after batch, in one snapshot: memory stays flat however many rows there are.
 * @param prepare makes the query from what it reads in the same snapshot
 */
export async function* streamSnapshot<Row>(
  database: Database,
  signal: AbortSignal,
  batchSize: number,
  prepare: (transaction: Knex.Transaction) => Promise<Query>,
): AsyncGenerator<Row[]> {
  signal.throwIfAborted();
  const transaction = await database.knex.transaction({ readOnly: true, isolationLevel: "repeatable read" });
  const backend = (await transaction.client.acquireConnection()) as Backend;
  const cancellable = <T>(work: () => Promise<T>) => cancelledWith(database, signal, backend, work);
  try {
    await cancellable(async () => {
      const { sql, bindings } = await prepare(transaction);
      // All rows are going to be fetched: plan for the last one, not for the first.
      await transaction.raw("set local cursor_tuple_fraction = 1");
      await transaction.raw(`declare stream no scroll cursor for ${sql}`, bindings as Knex.RawBinding[]);
    });
    for (;;) {
      const { rows } = await cancellable(() => transaction.raw(`fetch ${batchSize} from stream`));
      if (rows.length === 0) return;
      yield rows;
    }
  } finally {
    await transaction.rollback();
  }
}
