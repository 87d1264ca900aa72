import type { Knex } from "knex";
import type { Database } from "../../db/database.js";
import { execute, queryRowOrThrow } from "../../db/query.js";
import { inTransaction } from "../../db/transaction.js";

/**
 * The first renewal in a database was refused and has changed nothing. `permittingRenewals` then drops the
 * old index.
 */
class RenewalsNotPermitted extends Error {
  override readonly name = "RenewalsNotPermitted";
}

/**
 * Refuses a renewal while the database still has the index that older versions of the service need for
 * issuing. That index allows no credential beside its successor.
 */
export async function checkRenewalsPermitted(transaction: Knex.Transaction): Promise<void> {
  const { isPermitted } = await queryRowOrThrow<{ isPermitted: boolean }>(
    transaction,
    `select to_regclass('credentials_one_in_force') is null as "isPermitted"`,
  );
  if (!isPermitted) throw new RenewalsNotPermitted("the first renewal waits for an index to go");
}

export function isRefusedFirstRenewal(error: unknown): boolean {
  return error instanceof RenewalsNotPermitted;
}

/**
 * Runs `work`, and runs it again if the first renewal in this database was refused. The index is dropped in a
 * separate transaction: within two concurrent renewals, each would wait for the other.
 */
export async function permittingRenewals<T>(
  database: Database,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isRefusedFirstRenewal(error)) throw error;
    await inTransaction(database, signal, (transaction) => execute(transaction, "select permit_renewals()"));
    return work();
  }
}
