import { type Knex, queryValues } from "#infrastructure/db/query.js";
import type { LearnerFact, LearnerRecord, RecordKind } from "./record.js";
import { recordTableOf } from "./record-tables.js";

/** An email address that an earlier record of the batch states. */
interface EarlierAddress {
  readonly email: string;
  /** As in `Fact`. */
  readonly observedAt: string | null;
}

export interface RecordBatch {
  readonly records: readonly LearnerRecord[];
  /** Values of the records, as returned by the table's `columns`. */
  readonly columns: ReadonlyMap<RecordKind, readonly string[]>;
  /** Usernames of learners whose records state no email address. */
  readonly withoutAddress: readonly string[];
  /** Addresses for records that state none. */
  readonly earlierAddresses: ReadonlyMap<LearnerFact, EarlierAddress>;
  /** Usernames of learners whose records get another owner. */
  readonly takenOver: readonly string[];
}

export function batchOf(records: readonly LearnerRecord[]): RecordBatch {
  const byKind = new Map<RecordKind, LearnerRecord[]>();
  for (const record of records) {
    const same = byKind.get(record.kind);
    if (same) same.push(record);
    else byKind.set(record.kind, [record]);
  }
  const learners = records.filter((record) => record.kind === "learner");
  return {
    records,
    columns: new Map([...byKind].map(([kind, facts]) => [kind, recordTableOf(kind).columns(facts)])),
    withoutAddress: learners.flatMap(({ username, email }) => (email === null ? [username] : [])),
    earlierAddresses: findEarlierAddresses(learners),
    takenOver: learners.flatMap(({ username, takesOver }) => (takesOver ? [username] : [])),
  };
}

/**
 * Finds, for each record without an address, the address that was observed last among the earlier
 * records of the batch.
 */
function findEarlierAddresses(learners: readonly LearnerFact[]): ReadonlyMap<LearnerFact, EarlierAddress> {
  const now = new Date().toISOString();
  const known = new Map<string, EarlierAddress>();
  const found = new Map<LearnerFact, EarlierAddress>();
  for (const learner of learners) {
    const { username, email, observedAt } = learner;
    const earlier = known.get(username);
    if (email === null) {
      if (earlier) found.set(learner, earlier);
    } else if (!earlier || (earlier.observedAt ?? now) <= (observedAt ?? now)) {
      known.set(username, { email, observedAt });
    }
  }
  return found;
}

/**
 * Fills in missing addresses from earlier records in the batch. Without this, they would be lost, because only a
 * learner's last record is written. A stored record that was observed later keeps its address.
 */
export async function withAddresses(transaction: Knex.Transaction, batch: RecordBatch): Promise<RecordBatch> {
  if (batch.earlierAddresses.size === 0) return batch;
  const earlier = [...batch.earlierAddresses];
  const outdated = new Set(
    await queryValues<number>(
      transaction,
      `select position::integer
       from unnest(:usernames::text[], :times::timestamptz[])
         with ordinality as earlier (username, observed_at, position)
       join learners as known using (username)
       where known.observed_at > coalesce(earlier.observed_at, now())
       order by username for update of known`,
      {
        usernames: earlier.map(([{ username }]) => username),
        times: earlier.map(([, { observedAt }]) => observedAt),
      },
    ),
  );
  const filled = new Map<LearnerRecord, LearnerRecord>(
    earlier.flatMap(([learner, { email }], index) =>
      outdated.has(index + 1) ? [] : [[learner, { ...learner, email }]],
    ),
  );
  return batchOf(batch.records.map((record) => filled.get(record) ?? record));
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
    earlierAddresses: new Map(batches.flatMap(({ earlierAddresses }) => [...earlierAddresses])),
    takenOver: batches.flatMap(({ takenOver }) => takenOver),
    columns: new Map([...parts].map(([kind, all]) => [kind, join(all)])),
  };
}
