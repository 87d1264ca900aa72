import { setImmediate as nextTurn } from "node:timers/promises";
import type { Database } from "../db/database.js";
import { type Imported, importBatch } from "./import-records.js";
import type { LearnerRecord } from "./record.js";
import { batchOf, joined, type RecordBatch } from "./record-batch.js";
import { keyOf } from "./record-tables.js";

/** Writes the records of a stream, in their order, while more of them are read. */
export interface RecordWriter {
  /** Takes records that are written together or not at all; resolves when more may come. */
  take(records: readonly LearnerRecord[]): Promise<void>;
  /**
   * Resolves when all that was taken is written, with what became of it.
   * @throws what writing has failed with; what was taken before that is written, and nothing after it
   */
  finish(): Promise<Imported>;
}

/** So many records wait at most, and are then written together. */
const MAX_WAITING = 5000;

/**
 * What comes while a transaction is under way waits for it, and goes into the next one together: a transaction of many
 * records takes little longer than one of few. A fact that is told twice is written twice, as if nothing had waited.
 */
export function createRecordWriter(database: Database, signal: AbortSignal): RecordWriter {
  const total = { written: 0, leftOut: 0 };
  const waiting = { batches: [] as RecordBatch[], keys: new Set<string>() };
  let isWriting = false;
  let transaction: Promise<void> = Promise.resolve();

  function writeWaiting(): void {
    const batch = joined(waiting.batches.splice(0));
    waiting.keys.clear();
    isWriting = true;
    transaction = importBatch(database, batch, signal).then(({ written, leftOut }) => {
      total.written += written;
      total.leftOut += leftOut;
      isWriting = false;
      if (waiting.batches.length > 0) writeWaiting();
    });
    transaction.catch(() => {}); // whoever waits for it next is told
  }

  function fits(keys: readonly string[]): boolean {
    return waiting.keys.size + keys.length <= MAX_WAITING && !keys.some((key) => waiting.keys.has(key));
  }

  return {
    async take(records) {
      if (records.length === 0) return;
      const batch = batchOf(records);
      const keys = records.map(keyOf);
      while (waiting.batches.length > 0 && !fits(keys)) await transaction;
      waiting.batches.push(batch);
      for (const key of keys) waiting.keys.add(key);
      if (!isWriting) writeWaiting();
      await nextTurn(); // what Postgres has answered is heard before more is read
    },
    async finish() {
      while (isWriting) await transaction;
      return total;
    },
  };
}
