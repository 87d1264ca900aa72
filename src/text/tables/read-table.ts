import { CsvError } from "csv-parse/sync";
import { type Delimiter, detectDialect, parseRecords, type TableRecord } from "./dialect.js";
import { plainCell } from "./plain-cell.js";
import { type NoTable, type Table, tableOf } from "./table.js";

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

  const rows = records.map(({ record, raw, info }, index) => ({
    number: index + 1,
    line: info.lines + skipped,
    cells: record.map(plainCell),
    text: raw.trimEnd(),
  }));
  const table = tableOf(rows, undefined, options.most);
  return "fault" in table ? table : { ...table, dialect };
}
