import type { LearnerRecord, RecordKind } from "./record.js";
import { tableOf } from "./record-tables.js";

/** Records that are written together, ready for the statements that write them. */
export interface RecordBatch {
  readonly records: readonly LearnerRecord[];
  /** What `columns` of their table gives, for each kind that is among them. */
  readonly columns: ReadonlyMap<RecordKind, readonly string[]>;
  /** The learners whose address is not told. */
  readonly withoutAddress: readonly string[];
}

export function batchOf(told: readonly LearnerRecord[]): RecordBatch {
  const { records, withoutAddress } = withAddresses(told);
  const byKind = new Map<RecordKind, LearnerRecord[]>();
  for (const record of records) {
    const same = byKind.get(record.kind);
    if (same) same.push(record);
    else byKind.set(record.kind, [record]);
  }
  return {
    records,
    columns: new Map([...byKind].map(([kind, facts]) => [kind, tableOf(kind).columns(facts)])),
    withoutAddress,
  };
}

/** One statement takes in the last record of a learner alone: it gets the address from one before that tells it. */
function withAddresses(told: readonly LearnerRecord[]) {
  const addresses = new Map<string, string>();
  const withoutAddress: string[] = [];
  const records = told.map((record) => {
    if (record.kind !== "learner") return record;
    const { username, email = null } = record;
    const known = email ?? addresses.get(username);
    if (known === undefined) withoutAddress.push(username);
    else addresses.set(username, known);
    return email === null && known !== undefined ? { ...record, email: known } : record;
  });
  return { records, withoutAddress };
}

/** One batch of several, in their order. */
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
    columns: new Map([...parts].map(([kind, all]) => [kind, join(all)])),
  };
}
