import { CsvError } from "csv-parse/sync";
import { type Delimiter, type Dialect, detectDialect, parseRecords, type TableRecord } from "./dialect.js";
import { plainCell } from "./plain-cell.js";

const MOST_COLUMNS = 200;

/** A row that has anything in it. */
export interface Row {
  /** As a spreadsheet numbers it: from 1, empty rows counted, a cell of several lines in one row. */
  readonly number: number;
  /** The line of the text in which it ends, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
  /** The row as the text has it. */
  readonly text: string;
}

export interface Table {
  readonly rows: readonly Row[];
  /** Number of cells of the longest row. */
  readonly width: number;
  readonly dialect: Dialect;
}

/** Why a text is no table, and where. */
export interface NoTable {
  readonly fault: "empty" | "tooManyRows" | "tooManyColumns" | "openQuote";
  readonly row?: number;
  readonly line?: number;
  readonly count?: number;
}

/**
 * Reads CSV of any dialect, or cells that were copied from a spreadsheet.
 * @param options.most rows below the headings
 * @param options.isStrict refuses quotes within a cell (RFC 4180)
 */
export function readTable(
  text: string,
  options: { readonly most: number; readonly delimiter?: Delimiter | undefined; readonly isStrict?: boolean },
): Table | NoTable {
  const given = text.replace(/^\ufeff/, "");
  const { body, dialect } = detectDialect(given, options.delimiter);
  const skipped = body.length < given.length ? 1 : 0;
  let records: TableRecord[];
  try {
    records = parseRecords(body, dialect, { isStrict: options.isStrict });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { records: read, lines } = error as CsvError & { records?: number; lines?: number };
    return { fault: "openQuote", row: (read ?? 0) + 1, line: (lines ?? 0) + skipped };
  }

  const rows = records
    .map(({ record, raw, info }, index) => ({
      number: index + 1,
      line: info.lines + skipped,
      cells: record.map(plainCell),
      text: raw.trimEnd(),
    }))
    .filter(({ cells }) => cells.some((cell) => cell !== ""));
  const widest = rows.reduce<Row | undefined>(longer, undefined);
  if (!widest) return { fault: "empty" };
  const width = widest.cells.length;
  if (width > MOST_COLUMNS)
    return { fault: "tooManyColumns", row: widest.number, line: widest.line, count: width };
  if (rows.length > options.most + 1) return { fault: "tooManyRows", count: rows.length };
  return { rows, width, dialect };
}

function longer(most: Row | undefined, row: Row): Row {
  return most && most.cells.length >= row.cells.length ? most : row;
}
