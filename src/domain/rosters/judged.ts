import type { PlainRecord } from "../learners/plain-record.js";

/** What the rows of a file come to, before anything is written. */
export interface Judged {
  readonly records: readonly PlacedRecord[];
  readonly rejects: readonly Reject[];
  /** What was left out, for people to read. */
  readonly notes?: readonly string[];
}

/** A record, and the row from which it was made. */
export interface PlacedRecord {
  readonly line: number;
  /** The file in an archive; empty for a table alone. */
  readonly file: string;
  /** The row itself. */
  readonly text: string;
  readonly record: PlainRecord;
}

export interface Reject {
  readonly line: number;
  readonly file: string;
  /** The row itself; empty if there is none. */
  readonly text: string;
  readonly reason: string;
}
