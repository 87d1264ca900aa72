import { invalid, type Problem } from "../errors.js";
import { readTable as readRows } from "../text/tables/read-table.js";
import type { NoTable, Row as PlainRow } from "../text/tables/table.js";

/** A table with a header. */
export interface Table {
  /** Names of the columns in lower case, without spaces around them. */
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
}

export interface Row extends Pick<PlainRow, "line" | "text"> {
  /** Values by column, without spaces around them; empty where the row ends early. */
  readonly cells: Readonly<Record<string, string>>;
}

export const MAX_ROWS = 1_000_000;

/**
 * Reads a table whose first row names the columns.
 * @param what names the file in errors
 * @throws Problem `invalid` if it is no table
 */
export function readTable(text: string, what: string): Table {
  const table = readRows(text, { most: MAX_ROWS, isStrict: true });
  if ("fault" in table) throw noTable(what, table);
  const [header, ...others] = table.rows;
  const columns = header?.cells.map((name) => name.toLowerCase()) ?? [];
  const repeated = columns.find((name, index) => name !== "" && columns.indexOf(name) !== index);
  if (repeated !== undefined) throw invalid(`${what} has two columns named ${JSON.stringify(repeated)}.`);
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

/** Says why a file is no table. */
export function noTable(what: string, fault: NoTable): Problem {
  return invalid(`${what}${inWords(fault)}`);
}

function inWords({ fault, line, count }: NoTable): string {
  switch (fault) {
    case "empty":
      return " is empty: its first line must name the columns.";
    case "tooManyRows":
      return ` has ${count} rows; at most ${MAX_ROWS} are read.`;
    case "tooManyColumns":
      return `, line ${line}: it has ${count} values; at most 200 are read.`;
    case "openQuote":
      return `, line ${line}: it is no table: a quotation mark is not closed, or stands within a value.`;
  }
}
