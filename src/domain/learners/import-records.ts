import type { Knex } from "knex";
import type { Database } from "#infrastructure/db/database.js";
import { query } from "#infrastructure/db/query.js";
import { waitForLocks } from "#infrastructure/db/transaction.js";
import { findErased, findReadmitted, isAnyoneErased } from "./erased-learners.js";
import { inLearnerTransaction, type LearnerTransaction } from "./learner-transaction.js";
import { API_OWNER, findOwnedElsewhere, type OwnedElsewhere, takeOver } from "./owners.js";
import type { LearnerRecord, RecordKind } from "./record.js";
import { batchOf, type RecordBatch } from "./record-batch.js";
import { clearUnknown, recordTables } from "./record-tables.js";
import { contextOf, hintResults } from "./result-hints.js";

/** The result of a batch of records. Records in no count were already known. */
export interface Imported {
  /** Records that were new, changed or observed later than the known ones. */
  readonly written: number;
  /** Records about erased learners that were left out. */
  readonly leftOut: number;
  /** Records of learners that a connector owns, and that are as it has stated. */
  readonly owned: number;
}

/** What became of records. */
export interface WrittenRecords {
  /** Number of rows that were written, by kind. */
  readonly rows: ReadonlyMap<RecordKind, number>;
  /** Records that the source may write, in their order. */
  readonly taken: readonly LearnerRecord[];
  /** Records about erased learners. */
  readonly erased: readonly LearnerRecord[];
  /** Records of learners that belong to other sources. */
  readonly owned: readonly LearnerRecord[];
  /** These learners as they are known. */
  readonly owners: readonly OwnedElsewhere[];
}

/** Writes records of the API in one transaction, with one statement for each kind of record. */
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
    const { rows, erased, owned } = await writeRecords(transaction, batch, API_OWNER);
    return { written: sumOf(rows), leftOut: erased.length, owned: owned.length };
  });
}

export function sumOf(rows: ReadonlyMap<RecordKind, number>): number {
  return [...rows.values()].reduce((sum, count) => sum + count, 0);
}

/**
 * Writes the records of a source: the API's as they come, a platform's only if they state something new. It leaves out
 * those that the source may not write: of erased learners, and of learners who belong to another source.
 * @param owner the source: see `owners.ts`
 */
export async function writeRecords(
  transaction: LearnerTransaction,
  given: RecordBatch,
  owner: string,
): Promise<WrittenRecords> {
  const erased = new Set(await findErasedRecords(transaction, given.records, owner));
  const known = withoutRecords(given, erased);
  if (known.takenOver.length > 0) await takeOver(transaction, owner, known.takenOver);
  const owners = await findOwnedElsewhere(transaction, owner, learnersOf(known.records));
  const others = new Set(owners.map(({ username }) => username));
  const owned = new Set(
    others.size === 0
      ? []
      : known.records.filter((one) => one.kind === "learner" && others.has(one.username)),
  );
  const batch = withoutRecords(known, owned);
  const rows = new Map<RecordKind, number>();
  const statement = owner === API_OWNER ? "upsert" : "upsertChanged";
  for (const [kind, table] of recordTables) {
    const arrays = batch.columns.get(kind)?.map((elements) => `{${elements}}`);
    if (!arrays) continue;
    rows.set(kind, (await query(transaction, `${statement}_${kind}`, table[statement], arrays)).rowCount);
  }
  if (batch.withoutAddress.length > 0)
    await query(transaction, "clear_unknown", clearUnknown, [batch.withoutAddress as string[]]);
  if (sumOf(rows) > 0) {
    const contexts = batch.records.flatMap((record) => contextOf(record) ?? []);
    await hintResults(transaction, contexts);
  }
  return { rows, taken: batch.records, erased: [...erased], owned: [...owned], owners };
}

function withoutRecords(batch: RecordBatch, without: ReadonlySet<LearnerRecord>): RecordBatch {
  return without.size === 0 ? batch : batchOf(batch.records.filter((record) => !without.has(record)));
}

function learnersOf(records: readonly LearnerRecord[]): string[] {
  return records.flatMap((record) => (record.kind === "learner" ? [record.username] : []));
}

/**
 * Returns the records about erased learners. A record without a time of observation may be old, so only one with a
 * later time than the erasure brings a learner back. A platform that still lists a learner brings nobody back: only
 * learners whom the API has stated since the erasure are known again.
 */
async function findErasedRecords(
  db: Knex,
  records: readonly LearnerRecord[],
  owner: string,
): Promise<readonly LearnerRecord[]> {
  if (!(await isAnyoneErased(db))) return [];
  const usernames = records.flatMap((record) => ("username" in record ? [record.username] : []));
  const erased = await findErased(db, new Set(usernames));
  if (erased.size === 0) return [];
  const readmitted = owner === API_OWNER ? erased : await findReadmitted(db, erased.keys());
  return records.filter((record) => {
    const erasedAt = "username" in record ? erased.get(record.username) : undefined;
    if (erasedAt === undefined || !("username" in record)) return false;
    const isLater = record.observedAt !== null && record.observedAt > erasedAt;
    return !isLater || !readmitted.has(record.username);
  });
}
