import type { GradesAre } from "#foundation/text/tables/cell-values.js";
import type { Delimiter } from "#foundation/text/tables/dialect.js";
import type { Encoding } from "#foundation/text/tables/encodings.js";
import type { DayOrder } from "./days.js";
import type { ColumnUse } from "./guess-columns.js";

/** Maximum size of a list's file. A file with the maximum number of rows has some hundred kilobytes. */
export const MAX_LIST_BYTES = 5 * 1024 * 1024;

/** A pasted text, or a selected file. */
export type UploadedSource =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "file"; readonly name: string; readonly bytes: Uint8Array };

/** The reader's corrections of how the list is read. */
export interface Choices {
  readonly encoding?: Encoding;
  readonly delimiter?: Delimiter;
  /** Number of the heading row; 0 for none. Rows above it are omitted. */
  readonly headingRow?: number;
  /** Whether to identify learners by the column of IDs if no column contains usernames. */
  readonly isKnownById?: boolean;
  readonly meanings?: readonly (ColumnUse | null | undefined)[];
  readonly sheet?: string;
  readonly gradesAre?: GradesAre;
  readonly dayOrder?: DayOrder;
  readonly skipsCheck?: boolean;
  readonly addsLearners?: boolean;
}

export interface UploadedList {
  readonly source: UploadedSource;
  readonly choices: Choices;
}
