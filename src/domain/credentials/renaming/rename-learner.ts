import { waitForLocks } from "#infrastructure/db/database.js";
import type { Knex } from "#infrastructure/db/query.js";
import type { Actor } from "#infrastructure/identity/actors.js";
import { deleteSessionsOf } from "#infrastructure/sessions/session-store.js";
import { renameGrant } from "#infrastructure/sessions/staff-grant-store.js";
import { type ReportingDeps, reportingLastAdmin } from "#infrastructure/sessions/staff-grants.js";
import { areTwoSubjects, haveSameSubject, renameSubject } from "../../learners/account-subjects.js";
import { areTwoAccounts, isReportedRename, renameAccounts } from "../../learners/connector-accounts.js";
import { findExcluded, lockForErasure, noteErasure } from "../../learners/erased-learners.js";
import { type Rename, renameRecords } from "../../learners/rename-records.js";
import { appendByStatus } from "../events/append-events.js";
import { findHoldings, lockCredentialsOf, renameCredentials } from "./rename-store.js";

/**
 * Changes a learner's username after the platform has changed it, in one transaction. Records and credentials move to
 * the new username. The old username is kept where it identifies an actor.
 * @returns why the change was refused; undefined if it was made
 */
export async function renameLearner(
  deps: ReportingDeps,
  rename: Rename,
  renamedBy: Actor,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (rename.username === rename.newUsername) return undefined;
  return reportingLastAdmin(deps, signal, async (transaction) => {
    await waitForLocks(transaction, 5); // not longer, because issuing and importing wait meanwhile
    await lockForErasure(transaction);
    const erased = await findExcluded(transaction, [rename.username, rename.newUsername]);
    if (erased.size > 0) return followErasure(transaction, rename, erased);
    const refusal = await findRefusal(transaction, rename);
    if (refusal === undefined) await renameEverywhere(transaction, rename, renamedBy);
    return refusal;
  });
}

/**
 * Records that the learner with the new username was erased, too. Refuses if one of the usernames has data that was not
 * erased.
 */
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
  if (from.hasCurrentRecords && to.hasCourseRecords && !(await isOneAccount(transaction, rename)))
    return "Both usernames have records: if they belong to one learner, withdraw the records under one of them first.";
  return undefined;
}

/** Returns whether a connector has reported this rename, or tokens have the same subject under both usernames. */
async function isOneAccount(transaction: Knex.Transaction, rename: Rename): Promise<boolean> {
  return (await isReportedRename(transaction, rename)) || (await haveSameSubject(transaction, rename));
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
