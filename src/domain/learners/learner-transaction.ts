import type { Knex } from "knex";
import type { Database } from "#infrastructure/db/database.js";
import { execute } from "#infrastructure/db/query.js";
import { inTransaction } from "#infrastructure/db/transaction.js";

declare const keepsErasureOut: unique symbol;

/**
 * A transaction that delays erasures until it ends. Every function that writes about learners requires this type, so
 * that the compiler rejects a caller without the lock.
 */
export type LearnerTransaction = Knex.Transaction & { readonly [keepsErasureOut]: true };

/**
 * Runs `work` like `inTransaction`, and delays erasures until it ends, so that `work` may write what it has read about
 * learners. The lock is taken first, so that no statement sees data that an earlier erasure has removed.
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

/**
 * Runs `work` in a savepoint. If it fails, the surrounding transaction continues as if it had never started.
 */
export function inSavepoint<T>(
  transaction: LearnerTransaction,
  work: (transaction: LearnerTransaction) => Promise<T>,
): Promise<T> {
  return transaction.transaction((savepoint) => work(savepoint as LearnerTransaction));
}
