import { invalid } from "#foundation/errors.js";
import { MAX_ROWS, noFile } from "#foundation/text/no-file.js";
import { readTable } from "#foundation/text/tables/read-table.js";
import { from, type Row as PlainRow } from "#foundation/text/tables/table.js";

interface RosterTable {
  /** Column names in lower case, trimmed. */
  readonly columns: readonly string[];
  readonly rows: readonly RosterRow[];
}

export interface RosterRow extends Pick<PlainRow, "line" | "text"> {
  /** Trimmed values by column name. A value is empty if the row ends before its column. */
  readonly cells: Readonly<Record<string, string>>;
}

/**
 * Reads a table whose first row has the column names.
 * @param what names the file in errors
 * @throws Problem `invalid` if the file is not a table
 */
export function readHeadedTable(text: string, what: string): RosterTable {
  const read = readTable(text, { most: MAX_ROWS });
  const table = "fault" in read ? read : from(read, 0, { most: MAX_ROWS });
  if ("fault" in table) throw noFile(what, table);
  const [header, ...others] = table.rows;
  const columns = header?.cells.map((name) => name.toLowerCase()) ?? [];
  const repeated = columns.find((name, index) => name !== "" && columns.indexOf(name) !== index);
  if (repeated !== undefined) throw invalid(`${what} has two columns named ${JSON.stringify(repeated)}.`);
  const rows = others.map(({ line, cells, text }) => {
    if (cells.slice(columns.length).some((cell) => cell !== "")) {
      throw invalid(
        `${what}, line ${line}: it has ${cells.length} values, but the header has ${columns.length} names.`,
      );
    }
    // The object has no prototype, because a column may be named `__proto__`.
    const named: Record<string, string> = Object.create(null);
    columns.forEach((column, index) => {
      named[column] = cells[index] ?? "";
    });
    return { line, cells: named, text };
  });
  return { columns, rows };
}
