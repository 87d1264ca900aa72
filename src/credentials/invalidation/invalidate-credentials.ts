import type { Knex } from "knex";
import { standingOf } from "../../credential-status.js";
import type { Database } from "../../db/database.js";
import { execute } from "../../db/query.js";
import { inTransaction, waitForLocks } from "../../db/transaction.js";
import { enqueueEach } from "../../jobs/enqueue.js";
import { appendEach } from "../events/append-events.js";
import { type CredentialSelection, countSelected, lockSelected } from "./credential-selection.js";
import type { Invalidation } from "./invalidate-credential.js";

const { isAvailable } = standingOf();

/** The credentials to invalidate, the reason, and the actor. */
export interface BulkInvalidation extends Omit<Invalidation, "uuid"> {
  readonly selection: CredentialSelection;
  /** If true, nothing is changed. */
  readonly dryRun: boolean;
}

/**
 * Invalidates all selected credentials in one transaction, each as `invalidateCredential` does.
 * @returns how many were invalidated; on a dry run, how many would be
 */
export function invalidateCredentials(
  database: Database,
  invalidation: BulkInvalidation,
  signal: AbortSignal,
): Promise<number> {
  const { selection, dryRun } = invalidation;
  return inTransaction(database, signal, async (transaction) => {
    if (dryRun) return countSelected(transaction, selection);
    await waitForLocks(transaction);
    const selected = await lockSelected(transaction, selection);
    await invalidateAll(
      transaction,
      selected.map(({ uuid }) => uuid),
      invalidation,
      { tellHolders: true },
    );
    return selected.length;
  });
}

/**
 * Invalidates available credentials that the transaction has locked. One statement also appends their events
 * and enqueues the jobs that move their files. Credentials of erased learners have no file to move.
 * @param options.tellHolders false where successors are issued: the mails about those tell it
 */
export async function invalidateAll(
  transaction: Knex.Transaction,
  uuids: readonly string[],
  { reason, invalidatedBy }: Omit<Invalidation, "uuid">,
  { tellHolders }: { readonly tellHolders: boolean },
): Promise<void> {
  const toMove =
    "select json_build_object('credentialUuid', uuid) as payload from invalidated where file_key is not null";
  const toTell = `select json_build_object('credentialUuid', uuid) as payload from invalidated where ${tellHolders} and erased_at is null`;
  await execute(
    transaction,
    `with invalidated as (
       update credentials set
         status = 'invalidated', invalidation_reason = ?, invalidated_by = ?, invalidated_at = now()
       where uuid = any (?::uuid[]) and ${isAvailable}
       returning uuid, configuration_id, file_key, erased_at
     ), events as (
       ${appendEach("invalidated", { type: "invalidated", actor: "?, ?", before: "'available'", after: "invalidated" })}
     )
     select (${enqueueEach("move_file", toMove)}), (${enqueueEach("send_withdrawal_notice", toTell)})`,
    [reason, invalidatedBy.name, uuids, invalidatedBy.name, invalidatedBy.kind],
  );
}
