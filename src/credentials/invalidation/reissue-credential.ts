import { noSuchConfiguration } from "../../configurations/manage-configurations.js";
import { Problem } from "../../errors.js";
import { inLearnerTransaction } from "../../learners/learner-transaction.js";
import type { Credential } from "../credential.js";
import { findSuccessor } from "../credential-store.js";
import { appendEvents } from "../events/append-events.js";
import { insertWithJob } from "../issuance/insert-with-job.js";
import { checkComplete, readInputs } from "../issuance/issuance-inputs.js";
import type { IssuingDeps } from "../issuance/issuing-deps.js";
import { type Invalidation, invalidate, lockForInvalidation } from "./invalidate-credential.js";

/**
 * Invalidates an available credential and issues a new one in its place, in one transaction. The new one uses
 * the learner's current records; eligibility is not checked again. If it was already reissued, its successor
 * is returned.
 * @throws Problem `not-found`; `failed-precondition` naming its status or what is missing
 */
export function reissueCredential(
  deps: IssuingDeps,
  invalidation: Invalidation,
  signal: AbortSignal,
): Promise<Credential> {
  return inLearnerTransaction(deps.database, signal, async (transaction) => {
    const { uuid, invalidatedBy } = invalidation;
    const credential = await lockForInvalidation(transaction, uuid);
    refuseAged(credential);
    const successor = await findSuccessor(transaction, uuid);
    if (successor) return successor;
    refuseUnlessAvailable(credential);

    const { username, configurationId } = credential;
    const inputs = await readInputs(transaction, credential);
    if (!inputs) throw noSuchConfiguration(configurationId);
    const complete = checkComplete(inputs, username);

    await invalidate(transaction, credential, invalidation);
    const { results } = credential;
    const issuing = { username, configurationId, issuedBy: invalidatedBy, replaces: credential, results };
    const inserted = await insertWithJob(transaction, deps, issuing, complete);
    // Until the commit, the unique index on credentials in force lets nobody but this transaction insert
    // another one.
    if (!inserted) throw new Error(`credential ${uuid} was in force, and another one is, too`);
    const actor = invalidatedBy;
    await appendEvents(
      transaction,
      { type: "reissued", actor, before: "invalidated", after: "invalidated" },
      [credential],
    );
    return inserted;
  });
}

/**
 * Refuses credentials that need no correction any more.
 * @throws Problem `failed-precondition` if it was renewed or has expired
 */
export function refuseAged({
  status,
  renewedAt,
  isExpired,
}: Pick<Credential, "status" | "renewedAt" | "isExpired">): void {
  if (status !== "available") return;
  if (renewedAt !== null)
    throw new Problem(
      "failed-precondition",
      "The credential was renewed: reissue the one that replaces it.",
      { reason: "RENEWED" },
    );
  if (isExpired)
    throw new Problem("failed-precondition", "The credential has expired: renew it with IssueCredential.", {
      reason: "EXPIRED",
    });
}

function refuseUnlessAvailable({ status, erasedAt }: Credential): void {
  if (erasedAt) {
    throw new Problem("failed-precondition", "The learner was erased: the credential can't be reissued.", {
      reason: "LEARNER_ERASED",
    });
  }
  if (status === "available") return;
  throw new Problem("failed-precondition", refusals[status], { reason: "WRONG_STATUS", facts: { status } });
}

const refusals: Record<Exclude<Credential["status"], "available">, string> = {
  generating: "The credential is generating: only an available one can be reissued.",
  error: "The credential has failed: to try again, issue it again with IssueCredential.",
  invalidated: "The credential was invalidated without a successor: issue a new one with IssueCredential.",
};
