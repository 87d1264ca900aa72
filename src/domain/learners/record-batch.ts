import type { LearnerRecord, RecordKind } from "./record.js";
import { recordTableOf } from "./record-tables.js";

export interface RecordBatch {
  readonly records: readonly LearnerRecord[];
  /** Values of the records, as returned by the table's `columns`. */
  readonly columns: ReadonlyMap<RecordKind, readonly string[]>;
  /** Usernames of learners whose records state no email address. */
  readonly withoutAddress: readonly string[];
  /** Usernames of learners whose records get another owner. */
  readonly takenOver: readonly string[];
}

export function batchOf(learners: readonly LearnerRecord[]): RecordBatch {
  const { records, withoutAddress } = withAddresses(learners);
  const byKind = new Map<RecordKind, LearnerRecord[]>();
  for (const record of records) {
    const same = byKind.get(record.kind);
    if (same) same.push(record);
    else byKind.set(record.kind, [record]);
  }
  return {
    records,
    columns: new Map([...byKind].map(([kind, facts]) => [kind, recordTableOf(kind).columns(facts)])),
    withoutAddress,
    takenOver: learners.flatMap((record) =>
      record.kind === "learner" && record.takesOver ? [record.username] : [],
    ),
  };
}

/**
 * Fills in missing addresses from earlier records in the batch. Without this, they would be lost, because only a
 * learner's last record is written.
 */
function withAddresses(learners: readonly LearnerRecord[]) {
  const addresses = new Map<string, string>();
  const withoutAddress: string[] = [];
  const records = learners.map((record) => {
    if (record.kind !== "learner") return record;
    const { username, email = null } = record;
    const current = email ?? addresses.get(username);
    if (current === undefined) withoutAddress.push(username);
    else addresses.set(username, current);
    return email === null && current !== undefined ? { ...record, email: current } : record;
  });
  return { records, withoutAddress };
}

export function joined(batches: readonly RecordBatch[]): RecordBatch {
  const [only] = batches;
  if (only && batches.length === 1) return only;
  const parts = new Map<RecordKind, (readonly string[])[]>();
  for (const { columns } of batches) {
    for (const [kind, part] of columns) {
      const same = parts.get(kind);
      if (same) same.push(part);
      else parts.set(kind, [part]);
    }
  }
  const join = (all: (readonly string[])[]) =>
    all[0]?.map((_, column) => all.map((part) => part[column]).join(",")) ?? [];
  return {
    records: batches.flatMap(({ records }) => records),
    withoutAddress: batches.flatMap(({ withoutAddress }) => withoutAddress),
    takenOver: batches.flatMap(({ takenOver }) => takenOver),
    columns: new Map([...parts].map(([kind, all]) => [kind, join(all)])),
  };
}
