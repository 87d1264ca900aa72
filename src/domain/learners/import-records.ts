import type { Knex } from "knex";
import type { Database } from "#infrastructure/db/database.js";
import { query } from "#infrastructure/db/query.js";
import { waitForLocks } from "#infrastructure/db/transaction.js";
import { findErased, isAnyoneErased } from "./erased-learners.js";
import { inLearnerTransaction, type LearnerTransaction } from "./learner-transaction.js";
import { API_OWNER, doConnectorsOwn, findOwnedElsewhere, takeOver } from "./owners.js";
import type { LearnerRecord, RecordKind } from "./record.js";
import { batchOf, type RecordBatch } from "./record-batch.js";
import { clearUnknown, recordTables } from "./record-tables.js";
import { contextOf, hintResults } from "./result-hints.js";

/** The result of a batch of records. Records in neither count were already known. */
export interface Imported {
  /** Records that were new, changed or observed later than the known ones. */
  readonly written: number;
  /** Records about learners who were erased, observed no later than the erasure. */
  readonly leftOut: number;
  /** Records of learners that a connector owns, and that are as it has stated. */
  readonly owned: number;
}

/** Writes records in one transaction, with one statement for each kind of record. */
export function importRecords(
  database: Database,
  records: readonly LearnerRecord[],
  signal: AbortSignal,
): Promise<Imported> {
  return importBatch(database, batchOf(records), signal);
}

export function importBatch(database: Database, batch: RecordBatch, signal: AbortSignal): Promise<Imported> {
  return inLearnerTransaction(database, signal, async (transaction) => {
    await waitForLocks(transaction);
    const taken = await withoutErased(transaction, batch);
    if (taken.takenOver.length > 0) await takeOver(transaction, API_OWNER, taken.takenOver);
    const owned = await countOwned(transaction, taken);
    const written = await upsert(transaction, taken);
    if (taken.withoutAddress.length > 0)
      await query(transaction, "clear_unknown", clearUnknown, [taken.withoutAddress as string[]]);
    if (written > 0) await hintChanges(transaction, taken);
    return { written, leftOut: batch.records.length - taken.records.length, owned };
  });
}

async function countOwned(db: Knex, { records }: RecordBatch): Promise<number> {
  const usernames = records.flatMap((record) => (record.kind === "learner" ? [record.username] : []));
  if (usernames.length === 0 || !(await doConnectorsOwn(db))) return 0;
  const owned = new Set((await findOwnedElsewhere(db, API_OWNER, usernames)).map(({ username }) => username));
  return usernames.filter((username) => owned.has(username)).length;
}

/**
 * Leaves out records of erased learners. A record without a time of observation may be old, so only one with
 * a later time brings a learner back.
 */
async function withoutErased(db: Knex, batch: RecordBatch): Promise<RecordBatch> {
  if (!(await isAnyoneErased(db))) return batch;
  const usernames = batch.records.flatMap((record) => ("username" in record ? [record.username] : []));
  const erased = await findErased(db, new Set(usernames));
  if (erased.size === 0) return batch;
  const isTaken = (record: LearnerRecord) => {
    const erasedAt = "username" in record ? erased.get(record.username) : undefined;
    return erasedAt === undefined || (record.observedAt !== null && record.observedAt > erasedAt);
  };
  return batchOf(batch.records.filter(isTaken));
}

/**
 * Writes those records of a batch that state something new. It leaves the erased in: its caller has left them
 * out already.
 * @returns how many rows were written, by kind
 */
export async function writeChanged(
  transaction: LearnerTransaction,
  batch: RecordBatch,
): Promise<ReadonlyMap<RecordKind, number>> {
  const written = new Map<RecordKind, number>();
  for (const [kind, { upsertChanged }] of recordTables) {
    const arrays = arraysOf(batch, kind);
    if (!arrays) continue;
    const { rowCount } = await query(transaction, `upsert_changed_${kind}`, upsertChanged, arrays);
    written.set(kind, rowCount);
  }
  if (batch.withoutAddress.length > 0)
    await query(transaction, "clear_unknown", clearUnknown, [batch.withoutAddress as string[]]);
  if ([...written.values()].some((count) => count > 0)) await hintChanges(transaction, batch);
  return written;
}

function hintChanges(transaction: LearnerTransaction, { records }: RecordBatch): Promise<void> {
  return hintResults(
    transaction,
    records.flatMap((record) => contextOf(record) ?? []),
  );
}

/** Counts the rows that `writeChanged` would write, by kind. */
export async function countChanged(db: Knex, batch: RecordBatch): Promise<ReadonlyMap<RecordKind, number>> {
  const counts = new Map<RecordKind, number>();
  for (const [kind, { countChanged }] of recordTables) {
    const arrays = arraysOf(batch, kind);
    if (!arrays) continue;
    const { rows } = await query<{ count: number }>(db, `count_changed_${kind}`, countChanged, arrays);
    counts.set(kind, rows[0]?.count ?? 0);
  }
  return counts;
}

function arraysOf({ columns }: RecordBatch, kind: RecordKind): string[] | undefined {
  return columns.get(kind)?.map((elements) => `{${elements}}`);
}

async function upsert(db: LearnerTransaction, batch: RecordBatch): Promise<number> {
  let written = 0;
  for (const [kind, { upsert }] of recordTables) {
    const arrays = arraysOf(batch, kind);
    if (arrays) written += (await query(db, `upsert_${kind}`, upsert, arrays)).rowCount;
  }
  return written;
}
