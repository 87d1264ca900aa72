import type { Database } from "../db/database.js";
import { onLease, run } from "../db/run.js";
import type { LearnerRecord, RecordKind } from "./record.js";
import { recordTables } from "./record-tables.js";

/**
 * Writes a batch of records, all or none, in one statement: no round trips between the kinds.
 * @returns how many were new, changed or observed later than what was known; the others changed nothing
 */
export async function importRecords(
  database: Database,
  records: readonly LearnerRecord[],
  signal: AbortSignal,
): Promise<number> {
  const byKind = new Map<RecordKind, LearnerRecord[]>();
  for (const record of records) {
    const same = byKind.get(record.kind);
    if (same) same.push(record);
    else byKind.set(record.kind, [record]);
  }
  const bindings = recordTables.flatMap(([kind, table]) => table.bindings(byKind.get(kind) ?? []));
  const { rows } = await onLease(database, signal, (lease) =>
    run<{ written: number }>(lease, "import_records", statement, bindings),
  );
  return rows[0]?.written ?? 0;
}

/** The sum asks the kinds for their counts one after the other: so all batches lock rows in the same order. */
const statement = `
  with ${recordTables.map(([kind, { upsert }]) => `"${kind}" as (${upsert} returning 1)`).join(", ")}
  select ${recordTables.map(([kind]) => `(select count(*) from "${kind}")`).join(" + ")} as written`;
