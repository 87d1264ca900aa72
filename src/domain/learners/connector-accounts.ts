import { execute, hasRows, type Knex, queryRows } from "#infrastructure/db/query.js";
import { noteErasure } from "./erased-learners.js";

interface AccountTable {
  readonly table: string;
  /** Columns with a learner's username. An erasure deletes the rows with that username. */
  readonly columns: readonly string[];
  /** Statements that replace `:username` with `:newUsername`. */
  readonly rename: readonly string[];
}

/**
 * Connectors' tables with usernames. Renaming a learner drops pending hints, because the next sync reads the learner
 * anyway.
 */
export const accountTables: readonly AccountTable[] = [
  {
    table: "connector_people",
    columns: ["username", "previous_username"],
    rename: [
      "update connector_people set previous_username = username, username = :newUsername where username = :username",
    ],
  },
  {
    table: "connector_clashes",
    columns: ["username"],
    rename: ["delete from connector_clashes where username = :username"],
  },
  {
    table: "connector_enrollments",
    columns: ["username"],
    rename: [
      `update connector_enrollments as enrollment set username = :newUsername
       where username = :username and not exists (
         select from connector_enrollments other
         where other.username = :newUsername
           and (other.connector, other.context_key) = (enrollment.connector, enrollment.context_key)
       )`,
      "delete from connector_enrollments where username = :username",
    ],
  },
  {
    table: "connector_hints",
    columns: ["username"],
    rename: ["delete from connector_hints where username = :username"],
  },
  {
    table: "lti_people",
    columns: ["username"],
    rename: ["update lti_people set username = :newUsername where username = :username"],
  },
  {
    table: "lti_teachers",
    columns: ["username"],
    rename: [
      "delete from lti_teachers where username = :newUsername",
      "update lti_teachers set username = :newUsername where username = :username",
    ],
  },
  {
    table: "one_roster_ids",
    columns: ["username"],
    rename: ["update one_roster_ids set username = :newUsername where username = :username"],
  },
];

/**
 * Returns the name under which the erasure of a platform account is recorded. No username equals it, because usernames
 * can't contain control characters.
 */
export function erasedAccount(connector: string, externalId: string): string {
  return `\u0001${connector}\u0001${externalId}`;
}

/**
 * Removes connectors' data about an erased learner. Hashes of the learner's platform accounts are kept. They identify
 * an account that is renamed before the next sweep.
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
  for (const { table, columns } of accountTables)
    for (const column of columns)
      await execute(transaction, `delete from ${table} where ${column} = ?`, [username]);
}

/** Returns whether the two usernames belong to different accounts, according to a connector. */
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

/** Returns whether a connector has found that an account changed its username in this way. */
export async function isReportedRename(
  db: Knex,
  { username, newUsername }: { readonly username: string; readonly newUsername: string },
): Promise<boolean> {
  return hasRows(
    db,
    "select from connector_people where username = :newUsername and previous_username = :username limit 1",
    { username, newUsername },
  );
}

export async function renameAccounts(
  transaction: Knex.Transaction,
  { username, newUsername }: { readonly username: string; readonly newUsername: string },
): Promise<void> {
  for (const { rename } of accountTables)
    for (const statement of rename) await execute(transaction, statement, { username, newUsername });
}

/**
 * Makes connectors read a learner again soon, in a course or in the courses of a path. Repeated requests are merged.
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
