import type { Actor } from "../../identity/actors.js";
import type { LearnerTransaction } from "../../learners/learner-transaction.js";
import type { Credential } from "../credential.js";
import { findActive, lockCredential, setRenewed } from "../credential-store.js";
import { appendEvents } from "../events/append-events.js";
import { checkRenewalsPermitted } from "./permit-renewals.js";

/**
 * Makes room for the successor of a credential that is due for renewal. It stays as it is, beside its successor.
 * @returns the credential that another transaction has put in its place meanwhile; undefined when the room is free
 */
export async function makeRoom(
  transaction: LearnerTransaction,
  credential: Credential,
  renewedBy: Actor,
): Promise<Credential | undefined> {
  await checkRenewalsPermitted(transaction);
  const locked = await lockCredential(transaction, credential.uuid);
  if (locked?.status === "available" && locked.renewedAt === null) {
    await setRenewed(transaction, credential.uuid);
    await appendEvents(
      transaction,
      { type: "renewed", actor: renewedBy, before: "available", after: "available" },
      [credential],
    );
    return undefined;
  }
  return findActive(transaction, credential);
}
