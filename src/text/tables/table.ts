import type { Dialect } from "./dialect.js";

export const MOST_COLUMNS = 200;

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
}

export interface Table {
  readonly rows: readonly Row[];
  /** Number of cells of the longest row. */
  readonly width: number;
  /** Absent for a workbook. */
  readonly dialect?: Dialect;
}

/** Why a text is no table, and where. */
export interface NoTable {
  readonly fault: "empty" | "tooManyRows" | "tooManyColumns" | "openQuote";
  readonly row?: number;
  readonly line?: number;
  readonly count?: number;
}

/**
 * Makes a table of rows of which some may be empty.
 * @param count how many rows with anything in them there are: `rows` may lack the last of them
 * @param most rows below the headings
 */
export function tableOf(given: readonly Row[], count: number | undefined, most: number): Table | NoTable {
  const rows = given.filter(({ cells }) => cells.some((cell) => cell !== ""));
  const widest = rows.reduce<Row | undefined>(longer, undefined);
  if (!widest) return { fault: "empty" };
  const width = widest.cells.length;
  if (width > MOST_COLUMNS)
    return { fault: "tooManyColumns", row: widest.number, line: widest.line, count: width };
  const all = count ?? rows.length;
  if (all > most + 1) return { fault: "tooManyRows", count: all };
  return { rows, width };
}

function longer(most: Row | undefined, row: Row): Row {
  return most && most.cells.length >= row.cells.length ? most : row;
}
