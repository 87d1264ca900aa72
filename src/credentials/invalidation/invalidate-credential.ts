import type { Knex } from "knex";
import { statusWord } from "../../credential-status.js";
import type { Database } from "../../db/database.js";
import { execute } from "../../db/query.js";
import { inTransaction } from "../../db/transaction.js";
import { Problem } from "../../errors.js";
import type { Actor } from "../../identity/actors.js";
import { enqueueJobs } from "../../jobs/enqueue.js";
import { quoted } from "../../text/quoted.js";
import type { Credential } from "../credential.js";
import { lockCredential, setInvalidated } from "../credential-store.js";
import { appendEvents } from "../events/append-events.js";
import { existing } from "../get-credential.js";
import { queueMails } from "../mails/mail-store.js";

/** The credential to invalidate, the reason, and the actor. */
export interface Invalidation {
  readonly uuid: string;
  /** Public: verifiers read it. 1 to 255 characters. */
  readonly reason: string;
  readonly invalidatedBy: Actor;
}

/**
 * Invalidates an available credential. From the commit on, verification reports it as invalidated. The job
 * that moves its file away is enqueued in the same transaction, and so is the one that tells the holder. If it was already invalidated for the same
 * reason, it is returned unchanged.
 * @throws Problem `not-found`; `failed-precondition` naming its status or its present reason
 */
export function invalidateCredential(
  database: Database,
  invalidation: Invalidation,
  signal: AbortSignal,
): Promise<Credential> {
  return inTransaction(database, signal, async (transaction) => {
    const credential = await lockForInvalidation(transaction, invalidation.uuid);
    if (credential.status !== "invalidated") {
      const invalidated = await invalidate(transaction, credential, invalidation);
      await execute(transaction, `with ${queueMails("withdrawal", "select ?::uuid as uuid")} select`, [
        invalidated.uuid,
      ]);
      return invalidated;
    }
    if (credential.invalidationReason === invalidation.reason) return credential;
    throw new Problem(
      "failed-precondition",
      `The credential was invalidated before, for another reason: ${quoted(credential.invalidationReason)}.`,
      { reason: "INVALIDATED_BEFORE", facts: { invalidation_reason: credential.invalidationReason } },
    );
  });
}

/**
 * Returns the credential and locks it until the transaction ends.
 * @throws Problem `not-found`, also if `uuid` is not a UUID
 */
export function lockForInvalidation(transaction: Knex.Transaction, uuid: string): Promise<Credential> {
  return existing(uuid, () => lockCredential(transaction, uuid));
}

/** @throws Problem `failed-precondition` unless it is available */
export async function invalidate(
  transaction: Knex.Transaction,
  { uuid, status }: Credential,
  invalidation: Invalidation,
): Promise<Credential> {
  const invalidated = await setInvalidated(transaction, uuid, invalidation);
  if (!invalidated) {
    throw new Problem(
      "failed-precondition",
      `The credential is ${statusWord(status)}: only an available one can be invalidated.`,
      { reason: "WRONG_STATUS", facts: { status } },
    );
  }
  const actor = invalidation.invalidatedBy;
  await appendEvents(transaction, { type: "invalidated", actor, before: "available", after: "invalidated" }, [
    invalidated,
  ]);
  await enqueueJobs(transaction, [{ task: "move_file", payload: { credentialUuid: uuid } }]);
  return invalidated;
}
