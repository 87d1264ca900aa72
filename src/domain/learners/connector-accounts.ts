import type { Knex } from "knex";
import { execute, hasRows, queryRows } from "#infrastructure/db/query.js";
import { noteErasure } from "./erased-learners.js";

/** What connectors know about learners besides records: emptied by an erasure, by column. */
const connectorColumns: readonly (readonly [table: string, column: string])[] = [
  ["connector_people", "username"],
  ["connector_people", "previous_username"],
  ["connector_clashes", "username"],
  ["connector_enrollments", "username"],
  ["connector_hints", "username"],
  ["lti_people", "username"],
  ["lti_teachers", "username"],
  ["one_roster_ids", "username"],
];

/**
 * Returns the name under which the erasure of a platform's account is noted. No username contains a control
 * character.
 */
export function erasedAccount(connector: string, externalId: string): string {
  return `\u0001${connector}\u0001${externalId}`;
}

/**
 * Removes what connectors know about an erased learner. Hashes of the accounts that
 * were theirs stay: an account that is renamed before the next sweep is still the same person's.
 */
export async function forgetAccounts(transaction: Knex.Transaction, username: string): Promise<void> {
  const accounts = await queryRows<{ connector: string; externalId: string }>(
    transaction,
    `select connector, external_id as "externalId" from connector_people
     where username = :username or previous_username = :username`,
    { username },
  );
  for (const { connector, externalId } of accounts) {
    await noteErasure(transaction, erasedAccount(connector, externalId));
    await execute(transaction, "delete from connector_hints where connector = ? and external_id = ?", [
      connector,
      externalId,
    ]);
  }
  for (const [table, column] of connectorColumns)
    await execute(transaction, "delete from ?? where ?? = ?", [table, column, username]);
}

/** Returns whether a connector knows the two usernames as those of two accounts. */
export async function areTwoAccounts(
  db: Knex,
  { username, newUsername }: { readonly username: string; readonly newUsername: string },
): Promise<boolean> {
  return hasRows(
    db,
    `select from connector_people one join connector_people other using (connector)
     where one.username = :username and other.username = :newUsername and one.external_id <> other.external_id
     limit 1`,
    { username, newUsername },
  );
}

/** Gives another username to accounts that connectors know. The next sweep reads what they meant to read again. */
export async function renameAccounts(
  transaction: Knex.Transaction,
  { username, newUsername }: { readonly username: string; readonly newUsername: string },
): Promise<void> {
  const names = { username, newUsername };
  await execute(
    transaction,
    "update connector_people set previous_username = username, username = :newUsername where username = :username",
    names,
  );
  await execute(transaction, "delete from lti_teachers where username = :newUsername", names);
  for (const table of ["lti_people", "lti_teachers", "one_roster_ids"])
    await execute(
      transaction,
      `update ${table} set username = :newUsername where username = :username`,
      names,
    );
  await execute(
    transaction,
    `update connector_enrollments as enrollment set username = :newUsername
     where username = :username and not exists (
       select from connector_enrollments other
       where other.username = :newUsername
         and (other.connector, other.context_key) = (enrollment.connector, enrollment.context_key)
     )`,
    names,
  );
  await execute(transaction, "delete from connector_enrollments where username = :username", names);
  for (const table of ["connector_clashes", "connector_hints"])
    await execute(transaction, `delete from ${table} where username = :username`, names);
}

/**
 * Has connectors read a learner again in a course, or in the steps of a path, soon: what is known may be old. It is
 * kept once until it has been done.
 */
export async function requestUpdate(db: Knex, username: string, learningContextKey: string): Promise<void> {
  await execute(
    db,
    `insert into connector_hints (connector, username, external_id, course_key, due_at)
     select connector, :username, '', context_key, now() from connector_contexts
     where context_key like 'course-v1:%' and (
       context_key = :learningContextKey or context_key in (
         select unnest(step_course_keys) from learning_paths where path_key = :learningContextKey and not is_deleted
       )
     )
     on conflict do nothing`,
    { username, learningContextKey },
  );
}
