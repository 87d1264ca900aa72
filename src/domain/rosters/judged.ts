import type { PlainRecord } from "../learners/plain-record.js";

/** The records and rejected rows of a file, before anything is written. */
export interface CheckedFile {
  readonly records: readonly RecordWithLine[];
  readonly rejects: readonly Reject[];
  /** Descriptions of ignored data. */
  readonly notes?: readonly string[];
}

export interface RecordWithLine {
  readonly line: number;
  /** Name of the file in an archive; empty for a single table. */
  readonly file: string;
  readonly text: string;
  readonly record: PlainRecord;
}

export interface Reject {
  readonly line: number;
  readonly file: string;
  /** Empty if there is no row. */
  readonly text: string;
  readonly reason: string;
}
