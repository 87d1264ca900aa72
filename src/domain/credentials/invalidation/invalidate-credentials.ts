import { statusSql } from "#foundation/credential-status.js";
import { failedPrecondition, quoted } from "#foundation/errors.js";
import { type Database, inTransaction, waitForLocks } from "#infrastructure/db/database.js";
import { execute, type Knex } from "#infrastructure/db/query.js";
import type { Actor } from "#infrastructure/identity/actors.js";
import { enqueueEach } from "#infrastructure/jobs/enqueue.js";
import type { Credential } from "../credential.js";
import { queueEmails } from "../emails/email-store.js";
import { appendEach } from "../events/append-events.js";
import { getCredential, lockCredentialOrThrow, wrongStatus } from "../get-credential.js";
import { markForReview } from "../reviews.js";
import { type CredentialSelection, checkedHash, findSelected } from "./credential-selection.js";

const { isAvailable } = statusSql();

export interface Invalidation {
  readonly uuid: string;
  /** 1 to 255 characters. The reason is public: verifiers see it. */
  readonly reason: string;
  readonly invalidatedBy: Actor;
  /** Default: false (the learner gets an email). */
  readonly skipsEmail?: boolean;
}

export interface BulkInvalidation extends Omit<Invalidation, "uuid"> {
  readonly selection: CredentialSelection;
  /** If true, nothing is changed. */
  readonly dryRun: boolean;
  /** Hash of the dry run to carry out; empty to skip the check. */
  readonly planHash: string;
}

export interface BulkInvalidated {
  /** On a dry run, the number of credentials that would be invalidated. */
  readonly count: number;
  readonly planHash: string;
}

/**
 * Invalidates an available credential. The change takes effect when the transaction commits. If the credential was
 * already invalidated for the same reason, returns it unchanged.
 * @throws Problem `not-found`; `failed-precondition` naming the credential's status or its current reason
 */
export function invalidateCredential(
  database: Database,
  invalidation: Invalidation,
  signal: AbortSignal,
): Promise<Credential> {
  return inTransaction(database, signal, async (transaction) => {
    const credential = await lockCredentialOrThrow(transaction, invalidation.uuid);
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
 * Invalidates all selected credentials in one transaction.
 * @throws Problem `aborted` if the selection no longer matches `planHash`
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

/** In one statement, invalidates the locked credentials, appends events, and enqueues jobs for files and emails. */
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
