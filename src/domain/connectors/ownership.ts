import type { Knex } from "knex";
import type { Database } from "#infrastructure/db/database.js";
import { execute, queryRows } from "#infrastructure/db/query.js";
import { inTransaction } from "#infrastructure/db/transaction.js";
import { NOBODY, ownerOf } from "../learners/owners.js";
import { releaseContexts } from "./sweep/sweep-store.js";

/** How many records were of an owner. */
export interface OwnerCount {
  readonly owner: string;
  readonly count: number;
}

interface Options {
  /** If true, nothing is changed. */
  readonly dryRun: boolean;
}

/**
 * Makes a connector the owner of the records of all learners whom it has told of.
 * @param from only records of this owner; undefined: of any
 * @returns how many, by the owner of before
 */
export function takeOverLearners(
  database: Database,
  connector: string,
  { from, dryRun }: Options & { readonly from: string | undefined },
  signal: AbortSignal,
): Promise<OwnerCount[]> {
  const reportedLearners = `select username from connector_people where connector = :connector
    union select username from connector_enrollments where connector = :connector
    union select username from connector_clashes where connector = :connector`;
  const isOther = `not is_deleted and owner <> :owner and owner = coalesce(:from, owner) and username in (${reportedLearners})`;
  const names = { connector, owner: ownerOf(connector), from: from ?? null };
  return inTransaction(database, signal, async (transaction) => {
    const counts = await countOwners(transaction, isOther, names);
    if (dryRun) return counts;
    await execute(transaction, `update learners set owner = :owner where ${isOther}`, names);
    await execute(
      transaction,
      `delete from connector_clashes clash where exists (
         select from learners learner
         where learner.username = clash.username and learner.owner = 'connector:' || clash.connector)`,
    );
    return counts;
  });
}

/**
 * Gives up the records of a connector, which may be gone from the settings: whoever tells of them next owns them.
 * @param options.withContexts whether other sources may speak of its courses, too
 */
export function handOverLearners(
  database: Database,
  connector: string,
  { dryRun, withContexts }: Options & { readonly withContexts?: boolean },
  signal: AbortSignal,
): Promise<OwnerCount[]> {
  const names = { owner: ownerOf(connector), nobody: NOBODY };
  return inTransaction(database, signal, async (transaction) => {
    const counts = await countOwners(transaction, "owner = :owner", names);
    if (!dryRun)
      await execute(transaction, "update learners set owner = :nobody where owner = :owner", names);
    if (withContexts) await releaseContexts(transaction, connector, undefined, { dryRun });
    return counts;
  });
}

async function countOwners(
  db: Knex,
  condition: string,
  bindings: Readonly<Record<string, string | null>>,
): Promise<OwnerCount[]> {
  return queryRows<OwnerCount>(
    db,
    `select owner, count(*)::integer as count from learners where ${condition} group by owner order by owner`,
    bindings,
  );
}
