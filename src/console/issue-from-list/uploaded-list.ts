import type { GradesAre } from "#foundation/text/tables/cell-values.js";
import type { Delimiter } from "#foundation/text/tables/dialect.js";
import type { Encoding } from "#foundation/text/tables/encodings.js";
import type { DayOrder } from "./days.js";
import type { ColumnUse } from "./guess-columns.js";

/** What was pasted or chosen. */
export type Source =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "file"; readonly name: string; readonly bytes: Uint8Array };

/** What the user says about it, where the guess is wrong. */
export interface Choices {
  readonly encoding?: Encoding;
  readonly delimiter?: Delimiter;
  /** Number of the row with the headings; 0 for none. What is above it is left out. */
  readonly headingRow?: number;
  /** Whether learners are known by the column of their IDs, as no column has usernames. */
  readonly isKnownById?: boolean;
  readonly meanings?: readonly (ColumnUse | null | undefined)[];
  /** Of a workbook. */
  readonly sheet?: string;
  readonly gradesAre?: GradesAre;
  readonly dayOrder?: DayOrder;
  readonly skipsCheck?: boolean;
  readonly addsLearners?: boolean;
}

/** A list as it was given, and how it is to be read. */
export interface UploadedList {
  readonly source: Source;
  readonly choices: Choices;
}
