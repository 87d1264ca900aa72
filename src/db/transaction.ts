import type { Knex } from "knex";
import type { Database } from "./database.js";

/** What a connection of the pool tells of its backend. */
interface Backend {
  readonly processID: number;
}

/**
 * Runs `work` in one transaction. When the signal aborts, the statement that is running is cancelled in Postgres, and
 * the transaction is rolled back: nothing goes on behind the back of a caller that has stopped waiting.
 */
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

/** The connection must not be used again before a cancellation under way has arrived: it would hit the next statement. */
async function cancelledWith<T>(
  database: Database,
  signal: AbortSignal,
  backend: Backend,
  work: () => Promise<T>,
): Promise<T> {
  let cancelling: Promise<void> | undefined;
  const cancel = () => {
    cancelling = database.cancel(backend.processID).catch(() => {}); // the statement timeout remains
  };
  signal.addEventListener("abort", cancel, { once: true });
  try {
    const result = await work();
    signal.throwIfAborted();
    return result;
  } finally {
    signal.removeEventListener("abort", cancel);
    await cancelling;
  }
}
