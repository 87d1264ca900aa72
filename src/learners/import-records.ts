import type { Knex } from "knex";
import type { Database } from "../db/database.js";
import { run } from "../db/run.js";
import { inTransaction } from "../db/transaction.js";
import { findErased, keepErasureOut } from "./erased-learners.js";
import type { LearnerRecord, RecordKind } from "./record.js";
import { recordTables } from "./record-tables.js";

/** What became of a batch of records. What is in neither number was known already. */
export interface Imported {
  /** New, changed or observed later than what was known. */
  readonly written: number;
  /** About learners who were erased, and not observed later than that. */
  readonly leftOut: number;
}

/** Writes a batch of records in one transaction, with one statement for each kind in it. */
export function importRecords(
  database: Database,
  records: readonly LearnerRecord[],
  signal: AbortSignal,
): Promise<Imported> {
  return inTransaction(database, signal, async (transaction) => {
    await keepErasureOut(transaction);
    const taken = await withoutErased(transaction, records);
    const written = await upsertRecords(transaction, taken);
    return { written, leftOut: records.length - taken.length };
  });
}

/** A record that does not say when it was observed may be an old one: only one that does brings a learner back. */
async function withoutErased(db: Knex, records: readonly LearnerRecord[]): Promise<readonly LearnerRecord[]> {
  const usernames = new Set(records.flatMap((record) => ("username" in record ? [record.username] : [])));
  const erased = await findErased(db, usernames);
  if (erased.size === 0) return records;
  return records.filter((record) => {
    const erasedAt = "username" in record ? erased.get(record.username) : undefined;
    return erasedAt === undefined || (record.observedAt !== null && record.observedAt > erasedAt);
  });
}

async function upsertRecords(db: Knex, records: readonly LearnerRecord[]): Promise<number> {
  const byKind = new Map<RecordKind, LearnerRecord[]>();
  for (const record of records) {
    const same = byKind.get(record.kind);
    if (same) same.push(record);
    else byKind.set(record.kind, [record]);
  }
  let written = 0;
  for (const [kind, { upsert, bindings }] of recordTables) {
    const facts = byKind.get(kind);
    if (!facts) continue;
    const { rowCount } = await run(db, `upsert_${kind}`, upsert, bindings(facts));
    written += rowCount;
  }
  return written;
}
