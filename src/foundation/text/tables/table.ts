import type { Dialect } from "./dialect.js";

export const MAX_COLUMNS = 200;

/** Excel's maximum length of a cell. */
export const MAX_CELL_LENGTH = 32_767;

/** Number of rows in which the headings are searched for. */
export const MAX_ROWS_ABOVE = 20;

/** A row that isn't empty. */
export interface Row {
  /** Number of the row as in a spreadsheet. Starts at 1. Empty rows are counted, line breaks within a cell are not. */
  readonly number: number;
  /** For text: number of the line at which the row ends, from 1. For workbooks: the row number. */
  readonly line: number;
  readonly cells: readonly string[];
  /** For text: the original row. For workbooks: its cells separated by tabs. */
  readonly text: string;
  /** For workbooks: the days that cells show, as `2026-06-30`, by column. */
  readonly days?: Readonly<Record<number, string>>;
  /** For workbooks: the numbers that cells don't show exactly, by column. */
  readonly stored?: Readonly<Record<number, string>>;
}

export interface Table {
  readonly rows: readonly Row[];
  /** Number of cells in the longest row. */
  readonly width: number;
  /** Total number of rows. The last rows may be missing in `rows`. */
  readonly count: number;
  /** undefined for a workbook. */
  readonly dialect?: Dialect;
}

/** Why a text is not a table, and where the error is. */
export interface TableFault {
  readonly fault: "empty" | "tooManyRows" | "tooManyColumns" | "tooLongCell" | "openQuote";
  readonly row?: number;
  readonly line?: number;
  readonly count?: number;
}

export class TableError extends Error {
  constructor(readonly fault: TableFault) {
    super(fault.fault);
  }
}

/** @throws TableError if the row exceeds the limits of spreadsheets */
export function checkRow(row: Row): void {
  const { number, line, cells } = row;
  if (cells.length > MAX_COLUMNS)
    throw new TableError({ fault: "tooManyColumns", row: number, line, count: cells.length });
  const long = cells.find((cell) => cell.length > MAX_CELL_LENGTH);
  if (long !== undefined)
    throw new TableError({ fault: "tooLongCell", row: number, line, count: long.length });
}

export function isFilled({ cells }: Row): boolean {
  return cells.some((cell) => cell !== "");
}

/** @param rows the rows that aren't empty */
export function tableOf(rows: readonly Row[], count: number): Table | TableFault {
  if (rows.length === 0) return { fault: "empty" };
  return { rows, count, width: rows.reduce((most, { cells }) => Math.max(most, cells.length), 0) };
}

/**
 * Returns the rows of a table from a given row.
 * @param first index of that row, which is the row of headings if the table has headings
 * @param most maximum number of rows below the headings
 */
export function from(
  table: Table,
  first: number,
  { most, hasHeadings = true }: { readonly most: number; readonly hasHeadings?: boolean },
): Table | TableFault {
  const count = table.count - first;
  const below = hasHeadings ? count - 1 : count;
  if (below > most) return { fault: "tooManyRows", count: below };
  return first === 0 ? table : { ...table, rows: table.rows.slice(first), count };
}
