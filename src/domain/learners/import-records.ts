import { type Database, waitForLocks } from "#infrastructure/db/database.js";
import { type Knex, query } from "#infrastructure/db/query.js";
import { contextOfRecord, findNewlyNamed, markContextsChanged, markContextsOf } from "./changed-contexts.js";
import { findErased, findReadmitted, isAnyoneErased } from "./erased-learners.js";
import { inLearnerTransaction, type LearnerTransaction } from "./learner-transaction.js";
import { API_OWNER, findOwnedElsewhere, type OwnedElsewhere, takeOver } from "./owners.js";
import type { LearnerRecord, RecordKind } from "./record.js";
import { batchOf, type RecordBatch, withAddresses } from "./record-batch.js";
import { clearUnknown, recordTables } from "./record-tables.js";

/** Number of imported records by outcome. Unchanged records are not counted. */
export interface ImportCounts {
  /** Records that are new, changed, or observed later than the stored records. */
  readonly written: number;
  /** Ignored records about erased learners. */
  readonly erased: number;
  /** Ignored records of learners whose record belongs to a connector. */
  readonly ownedElsewhere: number;
}

export interface WrittenRecords {
  /** Number of written rows by kind. */
  readonly rows: ReadonlyMap<RecordKind, number>;
  /** Records that the source may write, in their original order. */
  readonly accepted: readonly LearnerRecord[];
  /** Records about erased learners. */
  readonly erased: readonly LearnerRecord[];
  /** Ignored records of learners whose record belongs to another source. */
  readonly ownedElsewhere: readonly LearnerRecord[];
  /** The current records of learners in `ownedElsewhere`. */
  readonly owners: readonly OwnedElsewhere[];
}

export function importRecords(
  database: Database,
  records: readonly LearnerRecord[],
  signal: AbortSignal,
): Promise<ImportCounts> {
  return importBatch(database, batchOf(records), signal);
}

export function importBatch(
  database: Database,
  batch: RecordBatch,
  signal: AbortSignal,
): Promise<ImportCounts> {
  return inLearnerTransaction(database, signal, async (transaction) => {
    await waitForLocks(transaction);
    const { rows, erased, ownedElsewhere } = await writeRecords(transaction, batch, API_OWNER);
    return { written: sumOfCounts(rows), erased: erased.length, ownedElsewhere: ownedElsewhere.length };
  });
}

export function sumOfCounts(rows: ReadonlyMap<RecordKind, number>): number {
  return [...rows.values()].reduce((sum, count) => sum + count, 0);
}

/**
 * Writes records of a source. Records from the API are written even if only their time of
 * observation is later. Records from a platform are written only if they are new or different.
 * Records of erased learners are left out, and so are records of the kind `learner` if the stored
 * record belongs to another source.
 * @param owner the source; see `owners.ts`
 */
export async function writeRecords(
  transaction: LearnerTransaction,
  given: RecordBatch,
  owner: string,
): Promise<WrittenRecords> {
  const erased = new Set(await findErasedRecords(transaction, given.records, owner));
  const unerased = withoutRecords(given, erased);
  if (unerased.takenOver.length > 0) await takeOver(transaction, owner, unerased.takenOver);
  const owners = await findOwnedElsewhere(transaction, owner, learnersOf(unerased.records));
  const others = new Set(owners.map(({ username }) => username));
  const ownedElsewhere = new Set(
    others.size === 0
      ? []
      : unerased.records.filter((one) => one.kind === "learner" && others.has(one.username)),
  );
  const batch = await withAddresses(transaction, withoutRecords(unerased, ownedElsewhere));
  const newlyNamed = await findNewlyNamed(transaction, batch.records);
  const rows = new Map<RecordKind, number>();
  const statement = owner === API_OWNER ? "upsert" : "upsertChanged";
  for (const [kind, table] of recordTables) {
    const arrays = batch.columns.get(kind)?.map((elements) => `{${elements}}`);
    if (!arrays) continue;
    rows.set(kind, (await query(transaction, `${statement}_${kind}`, table[statement], arrays)).rowCount);
  }
  if (batch.withoutAddress.length > 0)
    await query(transaction, "clear_unknown", clearUnknown, [batch.withoutAddress as string[]]);
  if (sumOfCounts(rows) > 0) {
    const contexts = batch.records.flatMap((record) => contextOfRecord(record) ?? []);
    await markContextsChanged(transaction, contexts);
    await markContextsOf(transaction, newlyNamed);
  }
  return { rows, accepted: batch.records, erased: [...erased], ownedElsewhere: [...ownedElsewhere], owners };
}

function withoutRecords(batch: RecordBatch, without: ReadonlySet<LearnerRecord>): RecordBatch {
  return without.size === 0 ? batch : batchOf(batch.records.filter((record) => !without.has(record)));
}

function learnersOf(records: readonly LearnerRecord[]): string[] {
  return records.flatMap((record) => (record.kind === "learner" ? [record.username] : []));
}

/**
 * Returns the records of learners who stay erased. Only a record from the API that was observed after the erasure
 * readmits a learner. A record without a time of observation may be old, and a platform may still list an erased
 * learner.
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
