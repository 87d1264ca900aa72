import { type Database, inTransaction } from "#infrastructure/db/database.js";
import { forgetClashesWithSelf } from "../learners/connector-clashes.js";
import { reportedLearners } from "../learners/connector-people.js";
import { changeOwner, NOBODY, type OwnerCount, ownerOf } from "../learners/owners.js";
import { releaseContexts } from "./sweep/sweep-store.js";

interface Options {
  /** If true, only counts the records. */
  readonly dryRun: boolean;
}

/**
 * Makes a connector the owner of the records of all learners it has reported.
 * @param from only records of this owner; undefined for records of any owner
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
 * Releases the records of a connector, even of one that was removed from the settings. The next source that reports the
 * learners becomes the owner of their records.
 * @param options.withContexts whether other sources may report the connector's courses, too
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
