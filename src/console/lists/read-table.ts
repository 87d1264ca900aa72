import { CsvError } from "csv-parse/browser/esm/sync";
import { type Delimiter, type Dialect, detectDialect, parseRecords } from "./dialect.js";
import { plainCell } from "./plain-cell.js";

/** Maximum number of rows of a list, its row of headings not counted. */
export const MOST_ROWS = 5000;
const MOST_COLUMNS = 200;

/** A row that has anything in it. */
export interface Row {
  /** As a spreadsheet numbers it: from 1, empty rows counted, a cell of several lines in one row. */
  readonly number: number;
  readonly cells: readonly string[];
}

export interface Table {
  readonly rows: readonly Row[];
  /** Number of cells of the longest row. */
  readonly width: number;
  readonly dialect: Dialect;
}

/** Why a text is no table. */
export type NoTable =
  | { readonly fault: "empty" }
  | { readonly fault: "too-many-rows"; readonly count: number }
  | { readonly fault: "too-many-columns"; readonly row: number; readonly count: number }
  | { readonly fault: "open-quote"; readonly row: number };

/** Reads CSV of any dialect, or cells that were copied from a spreadsheet. */
export function readTable(
  text: string,
  choice: { readonly delimiter?: Delimiter | undefined } = {},
): Table | NoTable {
  const { body, dialect } = detectDialect(text.replace(/^\ufeff/, ""), choice);
  const records = recordsOf(body, dialect);
  if ("fault" in records) return records;

  const rows = records
    .map((record, index) => ({ number: index + 1, cells: record.map(plainCell) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ""));
  const widest = rows.reduce<Row | undefined>((most, row) => (longer(row, most) ? row : most), undefined);
  if (!widest) return { fault: "empty" };
  const width = widest.cells.length;
  if (width > MOST_COLUMNS) return { fault: "too-many-columns", row: widest.number, count: width };
  if (rows.length > MOST_ROWS + 1) return { fault: "too-many-rows", count: rows.length };
  return { rows, width, dialect };
}

function recordsOf(body: string, dialect: Dialect): string[][] | NoTable {
  try {
    return parseRecords(body, dialect);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const read = "records" in error ? Number(error.records) : 0;
    return { fault: "open-quote", row: read + 1 };
  }
}

function longer(row: Row, most: Row | undefined): boolean {
  return !most || row.cells.length > most.cells.length;
}
