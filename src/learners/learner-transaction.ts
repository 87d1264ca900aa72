import type { Knex } from "knex";
import type { Database } from "../db/database.js";
import { inTransaction } from "../db/transaction.js";

declare const keepsErasureOut: unique symbol;

/**
 * A transaction that keeps erasures waiting until it ends. Whatever writes about learners asks for this type, so that the
 * compiler refuses a use-case that forgot the lock.
 */
export type LearnerTransaction = Knex.Transaction & { readonly [keepsErasureOut]: true };

/**
 * Runs `work` as `inTransaction` does, and has erasures wait until it ends: what it reads of learners, it may write. The
 * lock comes first, so that what an earlier erasure removed is gone for every statement of `work`.
 */
export function inLearnerTransaction<T>(
  database: Database,
  signal: AbortSignal,
  work: (transaction: LearnerTransaction) => Promise<T>,
): Promise<T> {
  return inTransaction(database, signal, async (transaction) => {
    await transaction.raw("lock table erased_learners in row share mode");
    return work(transaction as LearnerTransaction);
  });
}

/** Runs `work` in a savepoint: when it fails, the transaction around it goes on as if it had not begun. */
export function inSavepoint<T>(
  transaction: LearnerTransaction,
  work: (transaction: LearnerTransaction) => Promise<T>,
): Promise<T> {
  return transaction.transaction((savepoint) => work(savepoint as LearnerTransaction));
}
