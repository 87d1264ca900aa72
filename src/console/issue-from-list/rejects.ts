import type { Table } from "#foundation/text/tables/table.js";
import { writeCsv } from "#foundation/text/tables/write-csv.js";
import type { GuessedColumns } from "./guess-columns.js";

/** A row of the list whose learner gets no credential. */
interface ListReject {
  readonly row: number;
  readonly reason: string;
}

/**
 * Writes the rejected rows as a table that starts with two additional columns. When the corrected file is uploaded,
 * these columns are ignored.
 */
export function writeRejects(
  table: Table,
  columns: GuessedColumns,
  rejects: readonly ListReject[],
  headings: { readonly row: string; readonly reason: string },
  usual: "," | ";",
): string {
  const reasons = new Map(rejects.map(({ row, reason }) => [row, reason]));
  const first = columns.hasHeadings
    ? (table.rows[0]?.cells ?? [])
    : columns.meanings.map((each) => each ?? "");
  const rows = table.rows.flatMap(({ number, cells }) => {
    const reason = reasons.get(number);
    return reason === undefined ? [] : [[String(number), reason, ...padded(cells, table.width)]];
  });
  const delimiter = table.dialect?.delimiter;
  const opened = delimiter === "," || delimiter === ";" ? delimiter : usual;
  return writeCsv([[headings.row, headings.reason, ...padded(first, table.width)], ...rows], opened);
}

function padded(cells: readonly string[], width: number): string[] {
  return Array.from({ length: width }, (_, index) => cells[index] ?? "");
}
