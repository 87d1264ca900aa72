import { invalid, quoted } from "#foundation/errors.js";
import { headingKey } from "#foundation/text/tables/column-headings.js";
import { readTableFile } from "../rosters/read-table-file.js";
import type { ExportFiles } from "./export.js";
import type { Fields } from "./fields.js";

const MAX_TABLE_BYTES = 256 * 1024 * 1024;

/** A row with its values by column name. */
interface NamedRow {
  readonly number: number;
  readonly text: string;
  readonly fields: Fields;
}

/** Possible headings by column name. Errors name the first heading. */
export type ColumnHeadings = Readonly<Record<string, readonly string[]>>;

/**
 * @param stated headings that the user has stated, by column; they replace the headings in `columns`
 * @throws Problem `invalid` if the file is not a table, or lacks a column in `required`
 */
export async function readNamedRows(
  files: ExportFiles,
  name: string,
  columns: ColumnHeadings,
  required: readonly string[],
  stated: Readonly<Record<string, string>> = {},
): Promise<NamedRow[]> {
  const table = readTableFile(await bytesOf(files, name, MAX_TABLE_BYTES), name);
  const [headings, ...rows] = table.rows;
  const headingKeys = (headings?.cells ?? []).map(headingKey);
  const strange = Object.keys(stated).find((column) => !Object.hasOwn(columns, column));
  if (strange !== undefined)
    throw invalid(
      `"columns" in the map names ${quoted(strange)}; it can name ${Object.keys(columns).join(", ")}.`,
    );
  const columnIndexes = Object.entries(columns).map(([column, defaults]) => {
    const wanted = stated[column] === undefined ? defaults : [stated[column]];
    const columnIndex =
      wanted.map((heading) => headingKeys.indexOf(headingKey(heading))).find((at) => at >= 0) ?? -1;
    if (columnIndex < 0 && (required.includes(column) || stated[column] !== undefined)) {
      throw invalid(
        `${name} has no column ${wanted.map((each) => quoted(each)).join(" or ")}: name it under "columns" in the map, such as {"columns": {"${column}": "…"}}.`,
      );
    }
    return [column, columnIndex] as const;
  });
  return rows.map(({ number, text, cells }) => ({
    number,
    text,
    fields: Object.fromEntries(
      columnIndexes.map(([column, columnIndex]) => [column, (cells[columnIndex] ?? "").trim()]),
    ),
  }));
}

/** @throws Problem `invalid` if the file has more than `maxBytes` */
async function bytesOf(files: ExportFiles, name: string, maxBytes: number): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of files.chunks(name)) {
    length += piece.length;
    if (length > maxBytes) throw invalid(`${name} has more than ${maxBytes} bytes: split it.`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
