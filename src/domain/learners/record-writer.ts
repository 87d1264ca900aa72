import { setImmediate as nextTurn } from "node:timers/promises";
import type { Database } from "#infrastructure/db/database.js";
import { type ImportCounts, importBatch } from "./import-records.js";
import type { LearnerRecord } from "./record.js";
import { batchOf, joined, type RecordBatch } from "./record-batch.js";
import { recordKeyOf } from "./record-tables.js";

/** Writes the records of a stream in order, while further records are being read. */
interface RecordWriter {
  /** Queues records that are written together or not at all. Resolves when the writer can take more. */
  take(records: readonly LearnerRecord[]): Promise<void>;
  /**
   * Resolves with the totals when all queued records are written.
   * @throws the error that stopped the writer. All records queued before the failed transaction are then written, and
   * none after them
   */
  finish(): Promise<ImportCounts>;
}

/** Maximum number of records for one transaction. */
const MAX_WAITING = 5000;

/**
 * Creates a writer. Records that arrive during a transaction are written together in the next one, because a large
 * transaction takes little longer than a small one. If a record of the same fact is already waiting, the new record
 * waits for the transaction after that, so both are written.
 */
export function createRecordWriter(database: Database, signal: AbortSignal): RecordWriter {
  const total = { written: 0, erased: 0, ownedElsewhere: 0 };
  const waiting = { batches: [] as RecordBatch[], keys: new Set<string>() };
  let isWriting = false;
  let transaction: Promise<void> = Promise.resolve();

  function writeWaiting(): void {
    const batch = joined(waiting.batches.splice(0));
    waiting.keys.clear();
    isWriting = true;
    transaction = importBatch(database, batch, signal).then(({ written, erased, ownedElsewhere }) => {
      total.written += written;
      total.erased += erased;
      total.ownedElsewhere += ownedElsewhere;
      isWriting = false;
      if (waiting.batches.length > 0) writeWaiting();
    });
    transaction.catch(() => {}); // the next caller that awaits it gets the error
  }

  function fits(keys: readonly string[]): boolean {
    return waiting.keys.size + keys.length <= MAX_WAITING && !keys.some((key) => waiting.keys.has(key));
  }

  return {
    async take(records) {
      if (records.length === 0) return;
      const batch = batchOf(records);
      const keys = records.map(recordKeyOf);
      while (waiting.batches.length > 0 && !fits(keys)) await transaction;
      waiting.batches.push(batch);
      for (const key of keys) waiting.keys.add(key);
      if (!isWriting) writeWaiting();
      await nextTurn(); // lets responses from Postgres arrive before more is read
    },
    async finish() {
      while (isWriting) await transaction;
      return total;
    },
  };
}
