import type { Knex } from "knex";
import type { Database } from "#infrastructure/db/database.js";
import { inTransaction, waitForLocks } from "#infrastructure/db/transaction.js";
import type { Actor } from "#infrastructure/identity/actors.js";
import { deleteSessionsOf } from "#infrastructure/sessions/session-store.js";
import { renameGrant } from "#infrastructure/sessions/staff-grant-store.js";
import { areTwoSubjects, renameSubject } from "../../learners/account-subjects.js";
import { areTwoAccounts, renameAccounts } from "../../learners/connector-accounts.js";
import { findExcluded, lockForErasure, noteErasure } from "../../learners/erased-learners.js";
import { type Rename, renameRecords } from "../../learners/rename-records.js";
import { appendByStatus } from "../events/append-events.js";
import { findHoldings, lockCredentialsOf, renameCredentials } from "./rename-store.js";

/**
 * Gives a learner another username in one transaction, because the platform did. Records and credentials go on under
 * it.
 * Where the username stands for who did something, it stays.
 * @returns why it was refused; undefined if it holds now
 */
export async function renameLearner(
  database: Database,
  rename: Rename,
  renamedBy: Actor,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (rename.username === rename.newUsername) return undefined;
  return inTransaction(database, signal, async (transaction) => {
    await waitForLocks(transaction, 5); // issuing and importing queue behind this lock
    await lockForErasure(transaction);
    const erased = await findExcluded(transaction, [rename.username, rename.newUsername]);
    if (erased.size > 0) return followErasure(transaction, rename, erased);
    const refusal = await findRefusal(transaction, rename);
    if (refusal === undefined) await renameEverywhere(transaction, rename, renamedBy);
    return refusal;
  });
}

/** An erased learner does not come back under another name. */
async function followErasure(
  transaction: Knex.Transaction,
  { username, newUsername }: Rename,
  erased: ReadonlyMap<string, string>,
): Promise<string | undefined> {
  const { hasRecords, hasCredentials } = await findHoldings(
    transaction,
    erased.has(username) ? newUsername : username,
  );
  if (hasRecords || hasCredentials) {
    const [one, other] = erased.has(username) ? ["old", "new"] : ["new", "old"];
    return `The learner with the ${one} username was erased here: erase the one with the ${other} username, too.`;
  }
  if (!erased.has(newUsername)) await noteErasure(transaction, newUsername);
  return undefined;
}

async function findRefusal(transaction: Knex.Transaction, rename: Rename): Promise<string | undefined> {
  const [from, to] = [
    await findHoldings(transaction, rename.username),
    await findHoldings(transaction, rename.newUsername),
  ];
  if (from.hasCredentials && to.hasCredentials)
    return "Both usernames have credentials: check who they belong to.";
  if ((await areTwoAccounts(transaction, rename)) || (await areTwoSubjects(transaction, rename)))
    return "The two usernames belong to two accounts.";
  return undefined;
}

async function renameEverywhere(transaction: Knex.Transaction, rename: Rename, actor: Actor): Promise<void> {
  const credentials = await lockCredentialsOf(transaction, rename.username);
  await renameCredentials(transaction, rename, credentials);
  await renameRecords(transaction, rename);
  await renameSubject(transaction, rename);
  await renameAccounts(transaction, rename);
  await deleteSessionsOf(transaction, rename.username);
  await renameGrant(transaction, rename);
  await appendByStatus(transaction, { type: "renamed", actor }, credentials);
}
