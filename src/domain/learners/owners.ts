import type { Knex } from "knex";
import { execute, hasRows, queryRows } from "#infrastructure/db/query.js";
import type { Query } from "#infrastructure/db/transaction.js";

/*
 * The first source of a learner's record owns it: name, address, whether it is active, and all the rest. Other
 * sources may enrol the learner and state grades. They change the record only if its owner has given it up, or
 * withdrawn it.
 */

/** The API, files and commands: what the operator of this service or their own programs tell. */
export const API_OWNER = "api";

/** Of records that a registrar's list has made: the first source that reports the learner becomes the owner. */
export const NOBODY = "";

/** Returns the owner of what a connector tells. */
export function ownerOf(connector: string): string {
  return `connector:${connector}`;
}

/** A learner whose record belongs to another source, as it is. */
export interface OwnedElsewhere {
  readonly username: string;
  readonly owner: string;
  readonly email: string;
  readonly fullName: string;
  readonly isActive: boolean;
}

/** Returns those of the learners whose records this source may not change. */
export async function findOwnedElsewhere(
  db: Knex,
  owner: string,
  usernames: readonly string[],
): Promise<OwnedElsewhere[]> {
  if (usernames.length === 0 || (owner === API_OWNER && !(await doConnectorsOwn(db)))) return [];
  return queryRows<OwnedElsewhere>(
    db,
    `select username, owner, email, full_name as "fullName", is_active as "isActive" from learners
     where username = any (?::text[]) and not is_deleted and owner not in (?, ?)`,
    [usernames, owner, NOBODY],
  );
}

/** Returns whether connectors own any record: where there are none, records of the API need not be asked about. */
async function doConnectorsOwn(db: Knex): Promise<boolean> {
  return hasRows(db, "select from learners where owner not in ('', 'api') limit 1");
}

/** Makes a source the owner of these learners' records. What they say stays until it reports them. */
export async function takeOver(
  transaction: Knex,
  owner: string,
  usernames: readonly string[],
): Promise<void> {
  await execute(
    transaction,
    "update learners set owner = ? where username = any (?::text[]) and owner <> ? and not is_deleted",
    [owner, usernames, owner],
  );
  await execute(transaction, "delete from connector_clashes where username = any (?::text[])", [usernames]);
}

/** What a source reports about a learner otherwise than the owner. */
export type Difference = "name" | "address" | "active" | "retired";

/** A connector that reports a learner otherwise than the owner of the record. */
export interface Clash {
  readonly connector: string;
  readonly differs: readonly Difference[];
}

/** Returns the owner of a learner's record, and who reports them otherwise. */
export async function findOwnership(
  db: Knex,
  username: string,
): Promise<{ readonly owner: string; readonly clashes: readonly Clash[] }> {
  const [record] = await queryRows<{ owner: string }>(
    db,
    "select owner from learners where username = ? and not is_deleted",
    [username],
  );
  const clashes = await queryRows<Clash>(
    db,
    "select connector, differs from connector_clashes where username = ? order by connector",
    [username],
  );
  return { owner: record?.owner ?? NOBODY, clashes };
}

/** How many records were of an owner. */
export interface OwnerCount {
  readonly owner: string;
  readonly count: number;
}

/**
 * Gives the records of learners another owner.
 * @param from only records of this owner; undefined: of any
 * @param of SQL that selects usernames, with bindings; undefined: all learners
 * @returns how many there are, by the owner of before
 */
export async function changeOwner(
  transaction: Knex,
  { from, to, of }: { readonly from: string | undefined; readonly to: string; readonly of?: Query },
  { dryRun }: { readonly dryRun: boolean },
): Promise<OwnerCount[]> {
  const isChanged = `not is_deleted and owner <> ? and owner = coalesce(?, owner)${of ? ` and username in (${of.sql})` : ""}`;
  const bindings = [to, from ?? null, ...(of?.bindings ?? [])];
  const counts = await queryRows<OwnerCount>(
    transaction,
    `select owner, count(*)::integer as count from learners where ${isChanged} group by owner order by owner`,
    bindings,
  );
  if (!dryRun)
    await execute(transaction, `update learners set owner = ? where ${isChanged}`, [to, ...bindings]);
  return counts;
}
