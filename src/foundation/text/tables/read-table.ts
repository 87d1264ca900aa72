import { CsvError } from "csv-parse/sync";
import { type Delimiter, detectDialect, MAX_RECORD_SIZE, parseRecords, type TableRecord } from "./dialect.js";
import { plainCell } from "./plain-cell.js";
import {
  checkRow,
  isFilled,
  MAX_ROWS_ABOVE,
  type Row,
  type Table,
  TableError,
  type TableFault,
  tableOf,
} from "./table.js";

/**
 * Reads CSV of any dialect, or cells copied from a spreadsheet.
 * @param options.most maximum number of rows to keep, not counting the headings and the rows above the headings;
 *   further rows are only counted
 */
export function readTable(
  text: string,
  { most, delimiter }: { readonly most: number; readonly delimiter?: Delimiter | undefined },
): Table | TableFault {
  const content = text.replace(/^\ufeff/, "");
  const { body, dialect } = detectDialect(content, delimiter);
  const skipped = body.length < content.length ? 1 : 0;
  const rows: Row[] = [];
  let [number, count] = [0, 0];
  function take({ record, raw, info }: TableRecord) {
    const row = {
      number: ++number,
      line: info.lines + skipped,
      cells: record.map(plainCell),
      text: raw.trimEnd(),
    };
    checkRow(row);
    if (!isFilled(row)) return;
    count++;
    if (count <= most + MAX_ROWS_ABOVE) rows.push(row);
  }
  try {
    parseRecords(withoutLastLines(body), dialect, { take });
  } catch (error) {
    if (error instanceof TableError) return error.fault;
    if (!(error instanceof CsvError)) throw error;
    const { lines } = error as CsvError & { lines?: number };
    const position = { row: number + 1, line: (lines ?? 0) + skipped };
    return body.includes(dialect.quote)
      ? { fault: "openQuote", ...position }
      : { fault: "tooLongCell", ...position, count: MAX_RECORD_SIZE };
  }
  const table = tableOf(rows, count);
  return "fault" in table ? table : { ...table, dialect };
}

/** Removes empty lines at the end, because parsing millions of them takes half a minute. */
function withoutLastLines(text: string): string {
  let end = text.length;
  while (text[end - 1] === "\n" || text[end - 1] === "\r") end--;
  return text.slice(0, end);
}
