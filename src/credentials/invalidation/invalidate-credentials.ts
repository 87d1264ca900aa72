import type { Knex } from "knex";
import { standingOf } from "../../credential-status.js";
import type { Database } from "../../db/database.js";
import { execute } from "../../db/query.js";
import { inTransaction, waitForLocks } from "../../db/transaction.js";
import { enqueueEach } from "../../jobs/enqueue.js";
import { appendEach } from "../events/append-events.js";
import { queueMails } from "../mails/mail-store.js";
import { type CredentialSelection, findSelectedUuids, lockSelected } from "./credential-selection.js";
import type { Invalidation } from "./invalidate-credential.js";
import { formatSelectionHash, hashOfChanges, refuseChangedSelection } from "./selection-hash.js";

const { isAvailable } = standingOf();

/** The credentials to invalidate, the reason, and the actor. */
export interface BulkInvalidation extends Omit<Invalidation, "uuid"> {
  readonly selection: CredentialSelection;
  /** If true, nothing is changed. */
  readonly dryRun: boolean;
  /** Hash of the dry run to carry out; if empty, whatever is selected now is changed. */
  readonly planHash: string;
}

/** Result of a bulk invalidation. */
export interface BulkInvalidated {
  /** How many were invalidated; on a dry run, how many would be. */
  readonly count: number;
  readonly planHash: string;
}

/**
 * Invalidates all selected credentials in one transaction, each as `invalidateCredential` does.
 * @throws Problem `aborted` if the selection is not the one of `planHash`
 */
export function invalidateCredentials(
  database: Database,
  invalidation: BulkInvalidation,
  signal: AbortSignal,
): Promise<BulkInvalidated> {
  const { selection, dryRun, planHash } = invalidation;
  return inTransaction(database, signal, async (transaction) => {
    if (!dryRun) await waitForLocks(transaction);
    const uuids = dryRun
      ? await findSelectedUuids(transaction, selection)
      : (await lockSelected(transaction, selection)).map(({ uuid }) => uuid);
    const hash = hashOfChanges(uuids, { count: uuids.length, refusedCount: 0 });
    refuseChangedSelection(planHash, hash);
    if (!dryRun) await invalidateAll(transaction, uuids, invalidation, { tellHolders: true });
    return { count: uuids.length, planHash: formatSelectionHash(hash) };
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
  const toTell = `select uuid from invalidated where ${tellHolders} and erased_at is null`;
  await execute(
    transaction,
    `with invalidated as (
       update credentials set
         status = 'invalidated', invalidation_reason = ?, invalidated_by = ?, invalidated_at = now()
       where uuid = any (?::uuid[]) and ${isAvailable}
       returning uuid, configuration_id, file_key, erased_at
     ), events as (
       ${appendEach("invalidated", { type: "invalidated", actor: "?, ?", before: "'available'", after: "invalidated" })}
     ), moves as (
       ${enqueueEach("move_file", toMove)}
     ), ${queueMails("withdrawal", toTell)}
     select`,
    [reason, invalidatedBy.name, uuids, invalidatedBy.name, invalidatedBy.kind],
  );
}
