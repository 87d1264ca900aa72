import type { Knex } from "knex";
import type { Database } from "../db/database.js";
import { run } from "../db/run.js";
import { inTransaction } from "../db/transaction.js";
import type { LearnerRecord, RecordKind } from "./record.js";
import { recordTables } from "./record-tables.js";

/**
 * Writes a batch of records in one transaction, with one statement for each kind in it.
 * @returns how many were new, changed or observed later than what was known; the others changed nothing
 */
export function importRecords(
  database: Database,
  records: readonly LearnerRecord[],
  signal: AbortSignal,
): Promise<number> {
  return inTransaction(database, signal, (transaction) => upsertRecords(transaction, records));
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
