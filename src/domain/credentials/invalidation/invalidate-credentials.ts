import type { Knex } from "knex";
import { statusSql } from "#foundation/credential-status.js";
import { failedPrecondition } from "#foundation/errors.js";
import { quoted } from "#foundation/text/quoted.js";
import type { Database } from "#infrastructure/db/database.js";
import { execute } from "#infrastructure/db/query.js";
import { inTransaction, waitForLocks } from "#infrastructure/db/transaction.js";
import type { Actor } from "#infrastructure/identity/actors.js";
import { enqueueEach } from "#infrastructure/jobs/enqueue.js";
import type { Credential } from "../credential.js";
import { queueEmails } from "../emails/email-store.js";
import { appendEach } from "../events/append-events.js";
import { getCredential, getLocked, wrongStatus } from "../get-credential.js";
import { markForReview } from "../withdrawn-parts.js";
import { type CredentialSelection, checkedHash, findSelected } from "./credential-selection.js";

const { isAvailable } = statusSql();

/** The credential to invalidate, the reason, and the actor. */
export interface Invalidation {
  readonly uuid: string;
  /** Public: verifiers see it. 1 to 255 characters. */
  readonly reason: string;
  readonly invalidatedBy: Actor;
  /** If true, the learner gets no email. Default: false */
  readonly skipsEmail?: boolean;
}

/** The credentials to invalidate, the reason, and the actor. */
export interface BulkInvalidation extends Omit<Invalidation, "uuid"> {
  readonly selection: CredentialSelection;
  /** If true, nothing is changed. */
  readonly dryRun: boolean;
  /** Hash of the dry run to carry out; if empty, the current selection is changed without a check. */
  readonly planHash: string;
}

/** Result of a bulk invalidation. */
export interface BulkInvalidated {
  /** Number of invalidated credentials; on a dry run, the number that would be invalidated. */
  readonly count: number;
  readonly planHash: string;
}

/**
 * Invalidates an available credential. From the commit on, verification reports it as invalidated. If it was
 * already invalidated for the same reason, it is returned unchanged.
 * @throws Problem `not-found`; `failed-precondition` naming its status or its present reason
 */
export function invalidateCredential(
  database: Database,
  invalidation: Invalidation,
  signal: AbortSignal,
): Promise<Credential> {
  return inTransaction(database, signal, async (transaction) => {
    const credential = await getLocked(transaction, invalidation.uuid);
    const { uuid, status, invalidationReason } = credential;
    if (status === "invalidated" && invalidationReason === invalidation.reason) return credential;
    if (status === "invalidated")
      throw failedPrecondition(
        `The credential was already invalidated, for a different reason: ${quoted(invalidationReason)}.`,
        { reason: "INVALIDATED_BEFORE", facts: { invalidation_reason: invalidationReason } },
      );
    if (status !== "available") throw wrongStatus(status, "only an available one can be invalidated");
    await invalidateAll(transaction, [uuid], invalidation);
    return getCredential(transaction, uuid);
  });
}

/**
 * Invalidates all selected credentials in one transaction, each as `invalidateCredential` does.
 * @throws Problem `aborted` if the selection differs from that of `planHash`
 */
export function invalidateCredentials(
  database: Database,
  invalidation: BulkInvalidation,
  signal: AbortSignal,
): Promise<BulkInvalidated> {
  const { selection, dryRun, planHash } = invalidation;
  return inTransaction(database, signal, async (transaction) => {
    if (!dryRun) await waitForLocks(transaction);
    const uuids = (await findSelected(transaction, selection, ["uuid"], !dryRun)).map(({ uuid }) => uuid);
    const hash = checkedHash(planHash, uuids, { count: uuids.length, refusedCount: 0 });
    if (!dryRun) await invalidateAll(transaction, uuids, invalidation);
    return { count: uuids.length, planHash: hash };
  });
}

/**
 * Invalidates available credentials that the transaction has locked. One statement also appends their events,
 * and enqueues the jobs that move their files and notify their learners.
 */
export async function invalidateAll(
  transaction: Knex.Transaction,
  uuids: readonly string[],
  { reason, invalidatedBy, skipsEmail = false }: Omit<Invalidation, "uuid">,
): Promise<void> {
  const toMove =
    "select json_build_object('credentialUuid', uuid) as payload from invalidated where file_key is not null";
  const toNotify = `select uuid from invalidated where ${!skipsEmail} and erased_at is null`;
  await execute(
    transaction,
    `with invalidated as (
       update credentials set
         status = 'invalidated', invalidation_reason = ?, invalidated_by = ?, invalidated_at = now()
       where uuid = any (?::uuid[]) and ${isAvailable}
       returning uuid, configuration_id, file_key, erased_at, username
     ), events as (
       ${appendEach("invalidated", { type: "invalidated", actor: "?, ?", before: "'available'", after: "invalidated" })}
     ), moves as (
       ${enqueueEach("move_file", toMove)}
     ), reviews as (
       ${markForReview("select uuid, username from invalidated")}
     ), ${queueEmails("withdrawal", toNotify)}
     select`,
    [reason, invalidatedBy.name, uuids, invalidatedBy.name, invalidatedBy.kind],
  );
}
