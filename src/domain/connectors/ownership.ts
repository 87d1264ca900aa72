import type { Database } from "#infrastructure/db/database.js";
import { inTransaction } from "#infrastructure/db/transaction.js";
import { changeOwner, NOBODY, type OwnerCount, ownerOf } from "../learners/owners.js";
import { forgetClashesWithSelf } from "./sweep/clash-store.js";
import { reportedLearners } from "./sweep/people-store.js";
import { releaseContexts } from "./sweep/sweep-store.js";

interface Options {
  /** If true, nothing is changed. */
  readonly dryRun: boolean;
}

/**
 * Makes a connector the owner of the records of all learners whom it has reported.
 * @param from only records of this owner; undefined: of any
 * @returns the number of records by previous owner
 */
export function takeOverLearners(
  database: Database,
  connector: string,
  { from, dryRun }: Options & { readonly from: string | undefined },
  signal: AbortSignal,
): Promise<OwnerCount[]> {
  return inTransaction(database, signal, async (transaction) => {
    const change = { from, to: ownerOf(connector), of: reportedLearners(connector) };
    const counts = await changeOwner(transaction, change, { dryRun });
    if (dryRun) return counts;
    await forgetClashesWithSelf(transaction);
    return counts;
  });
}

/**
 * Releases the records of a connector, which may no longer be in the settings. The next source that reports them
 * becomes their owner.
 * @param options.withContexts whether to let other sources report its courses, too
 */
export function handOverLearners(
  database: Database,
  connector: string,
  { dryRun, withContexts }: Options & { readonly withContexts?: boolean },
  signal: AbortSignal,
): Promise<OwnerCount[]> {
  return inTransaction(database, signal, async (transaction) => {
    const counts = await changeOwner(transaction, { from: ownerOf(connector), to: NOBODY }, { dryRun });
    if (withContexts) await releaseContexts(transaction, connector, undefined, { dryRun });
    return counts;
  });
}
