import type { Actor } from "../../identity/actors.js";
import type { LearnerTransaction } from "../../learners/learner-transaction.js";
import type { Credential } from "../credential.js";
import { findActive, lockCredential, setRenewed } from "../credential-store.js";
import { appendEvents } from "../events/append-events.js";

/**
 * Marks a credential that is due for renewal as renewed, so that its successor can be inserted. It otherwise
 * stays unchanged.
 * @returns the credential that another transaction has issued in its place meanwhile; undefined if a
 * successor can be inserted
 */
export async function makeRoom(
  transaction: LearnerTransaction,
  credential: Credential,
  renewedBy: Actor,
): Promise<Credential | undefined> {
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
