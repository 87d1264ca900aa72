import { CsvError, parse } from "csv-parse/sync";
import { invalid } from "../errors.js";

/** A table with a header. */
export interface Table {
  /** Names of the columns in lower case, without spaces around them. */
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
}

export interface Row {
  /** Of the file, numbered from 1. */
  readonly line: number;
  /** Values by column, without spaces around them; empty where the row ends early. */
  readonly cells: Readonly<Record<string, string>>;
  /** The row as the file has it. */
  readonly text: string;
}

const DELIMITERS = [",", ";", "\t"] as const;

/** The line that Excel reads, and some programs write, to name the delimiter. */
const separatorLine = /^sep=([,;\t])\r?\n/i;

const MAX_ROWS = 1_000_000;
const MAX_RECORD_LENGTH = 100_000;

/**
 * Reads a table of comma-separated values (RFC 4180), or with semicolons or tabs, as Excel writes them in other
 * countries.
 * @param what names the file in errors
 * @throws Problem `invalid` if it is no table
 */
export function readTable(text: string, what: string): Table {
  const separator = separatorLine.exec(text);
  const content = separator ? text.slice(separator[0].length) : text;
  const delimiter = separator?.[1] ?? delimiterOf(content);
  const skipped = separator ? 1 : 0;
  const records = parseRecords(content, delimiter, what, skipped);
  const [header, ...others] = records;
  if (!header) throw invalid(`${what} is empty: its first line must name the columns.`);
  const columns = header.cells.map((name) => name.toLowerCase());
  const repeated = columns.find((name, index) => name !== "" && columns.indexOf(name) !== index);
  if (repeated !== undefined) throw invalid(`${what} has two columns named ${JSON.stringify(repeated)}.`);
  if (others.length > MAX_ROWS)
    throw invalid(`${what} has ${others.length} rows; at most ${MAX_ROWS} are read.`);
  const rows = others.map(({ line, cells, text }) => {
    if (cells.slice(columns.length).some((cell) => cell !== "")) {
      throw invalid(
        `${what}, line ${line}: it has ${cells.length} values, and the header ${columns.length} names.`,
      );
    }
    // a null prototype: a column may be called `__proto__`
    const named: Record<string, string> = Object.create(null);
    columns.forEach((column, index) => {
      named[column] = cells[index] ?? "";
    });
    return { line, cells: named, text };
  });
  return { columns, rows };
}

function parseRecords(text: string, delimiter: string, what: string, skipped: number) {
  try {
    const parsed = parse(text, {
      delimiter,
      info: true,
      raw: true,
      trim: true,
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      max_record_size: MAX_RECORD_LENGTH,
    }) as unknown as { record: string[]; raw: string; info: { lines: number } }[];
    return parsed.map(({ record, raw, info }) => ({
      line: info.lines + skipped,
      cells: record,
      text: raw.trimEnd(),
    }));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines } = error as unknown as { lines?: number };
    const where = lines === undefined ? "" : `, line ${lines + skipped}`;
    throw invalid(
      `${what}${where}: it is no table: a quotation mark is not closed, or stands within a value.`,
      error,
    );
  }
}

/** The delimiter that the header has most of, outside of quotation marks. */
function delimiterOf(text: string): string {
  const header = (/^(?:"(?:[^"]|"")*"|[^"\n])*/.exec(text)?.[0] ?? "").replace(/"(?:[^"]|"")*"/g, "");
  const counts = DELIMITERS.map((delimiter) => header.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ",";
}
