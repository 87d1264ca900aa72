import type { Query } from "#infrastructure/db/database.js";
import { execute, hasRows, type Knex, queryRow, queryRows } from "#infrastructure/db/query.js";

/*
 * The first source that reports a learner becomes the owner of the learner's whole record: the name, the address, the
 * active state and all other fields. Other sources may enrol the learner and report grades. They can change the record
 * only if they take it over (`takesOver`), or after its owner has released or withdrawn it.
 */

/** Owner of records from the API, files and commands. */
export const API_OWNER = "api";

/** Owner of records created from a registrar's list. The first source that reports the learner becomes the owner. */
export const NOBODY = "";

export function ownerOf(connector: string): string {
  return `connector:${connector}`;
}

/** A learner's record that belongs to another source. */
export interface OwnedElsewhere {
  readonly username: string;
  readonly owner: string;
  readonly email: string;
  readonly fullName: string;
  readonly isActive: boolean;
}

/** Returns the records of learners that this source may not change. */
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

async function doConnectorsOwn(db: Knex): Promise<boolean> {
  return hasRows(db, "select from learners where owner not in ('', 'api') limit 1");
}

/**
 * Makes a source the owner of learners' records. The records keep their values until the new owner reports the
 * learners.
 */
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

export type RecordDifference = "name" | "address" | "active" | "retired";

/** A connector that reports different values from the owner's record. */
export interface Clash {
  readonly connector: string;
  readonly differs: readonly RecordDifference[];
}

/** Returns the owner of a learner's record, and the connectors that report different values. */
export async function findOwnership(
  db: Knex,
  username: string,
): Promise<{ readonly owner: string; readonly clashes: readonly Clash[] }> {
  const record = await queryRow<{ owner: string }>(
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

export interface OwnerCount {
  readonly owner: string;
  readonly count: number;
}

/**
 * Changes the owner of records.
 * @param from only records of this owner; undefined for records of any owner
 * @param of SQL that selects usernames; undefined for all learners
 * @returns the number of changed records by previous owner
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
