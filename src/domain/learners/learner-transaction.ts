import { type Database, inTransaction } from "#infrastructure/db/database.js";
import { execute, type Knex } from "#infrastructure/db/query.js";

declare const keepsErasureOut: unique symbol;

/**
 * A transaction that delays erasures until it ends. Functions that write data about learners require this type. The
 * compiler then rejects callers that don't hold the lock.
 */
export type LearnerTransaction = Knex.Transaction & { readonly [keepsErasureOut]: true };

/**
 * Runs `work` in a transaction that delays erasures until it ends, so that `work` can write data that it has read about
 * learners. The transaction takes the lock first, so that none of its statements sees data that an earlier erasure has
 * removed.
 */
export function inLearnerTransaction<T>(
  database: Database,
  signal: AbortSignal,
  work: (transaction: LearnerTransaction) => Promise<T>,
): Promise<T> {
  return inTransaction(database, signal, async (transaction) => {
    await execute(transaction, "lock table erased_learners in row share mode");
    return work(transaction as LearnerTransaction);
  });
}

/** Runs `work` in a savepoint. If `work` fails, the transaction continues as if `work` had never started. */
export function inSavepoint<T>(
  transaction: LearnerTransaction,
  work: (transaction: LearnerTransaction) => Promise<T>,
): Promise<T> {
  return transaction.transaction((savepoint) => work(savepoint as LearnerTransaction));
}
