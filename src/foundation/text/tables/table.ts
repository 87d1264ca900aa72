import type { Dialect } from "./dialect.js";

export const MOST_COLUMNS = 200;

/** Characters that Excel holds in a cell. */
export const MOST_IN_CELL = 32_767;

/** Number of rows among which that of the headings is looked for. */
export const MOST_ABOVE = 20;

/** A row that has anything in it. */
export interface Row {
  /** As a spreadsheet numbers it: from 1, empty rows counted, a cell of several lines in one row. */
  readonly number: number;
  /** The line of the text in which it ends, from 1; of a workbook, the number of the row. */
  readonly line: number;
  readonly cells: readonly string[];
  /** The row as the text has it; of a workbook, its cells between tabs. */
  readonly text: string;
  /** Of a workbook: the day of each cell that shows one, as `2026-06-30`, by column. */
  readonly days?: Readonly<Record<number, string>>;
  /** Of a workbook: each number of which its cell shows less, or otherwise, by column. */
  readonly stored?: Readonly<Record<number, string>>;
}

export interface Table {
  readonly rows: readonly Row[];
  /** Number of cells of the longest row. */
  readonly width: number;
  /** Number of rows: `rows` may lack the last of them. */
  readonly count: number;
  /** Absent for a workbook. */
  readonly dialect?: Dialect;
}

/** Why a text is no table, and where. */
export interface NoTable {
  readonly fault: "empty" | "tooManyRows" | "tooManyColumns" | "tooLongCell" | "openQuote";
  readonly row?: number;
  readonly line?: number;
  readonly count?: number;
}

/** A row that ends the reading of a table. */
export class NoTableError extends Error {
  constructor(readonly fault: NoTable) {
    super(fault.fault);
  }
}

/** @throws NoTableError for a row that has more than a spreadsheet can */
export function checkRow(row: Row): void {
  const { number, line, cells } = row;
  if (cells.length > MOST_COLUMNS)
    throw new NoTableError({ fault: "tooManyColumns", row: number, line, count: cells.length });
  const long = cells.find((cell) => cell.length > MOST_IN_CELL);
  if (long !== undefined)
    throw new NoTableError({ fault: "tooLongCell", row: number, line, count: long.length });
}

export function isFilled({ cells }: Row): boolean {
  return cells.some((cell) => cell !== "");
}

/** @param rows that have anything in them */
export function tableOf(rows: readonly Row[], count: number): Table | NoTable {
  if (rows.length === 0) return { fault: "empty" };
  return { rows, count, width: rows.reduce((most, { cells }) => Math.max(most, cells.length), 0) };
}

/**
 * Returns the rows of a table from a row on.
 * @param first its index: that of the row of headings
 * @param most rows below the headings
 */
export function from(
  table: Table,
  first: number,
  { most, hasHeadings = true }: { readonly most: number; readonly hasHeadings?: boolean },
): Table | NoTable {
  const count = table.count - first;
  const below = hasHeadings ? count - 1 : count;
  if (below > most) return { fault: "tooManyRows", count: below };
  return first === 0 ? table : { ...table, rows: table.rows.slice(first), count };
}
