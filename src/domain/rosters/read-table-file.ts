import { invalid } from "#foundation/errors.js";
import { MAX_ROWS, noFile } from "#foundation/text/no-file.js";
import { nonTextKindOf } from "#foundation/text/tables/decode-text.js";
import type { Encoding } from "#foundation/text/tables/encodings.js";
import { readTableBytes } from "#foundation/text/tables/file/read-table-bytes.js";
import type { Table } from "#foundation/text/tables/table.js";

/** Maximum unpacked size of a workbook, in bytes. */
const MAX_UNPACKED = 512 * 1024 * 1024;

export interface FileOptions {
  /** Name of the sheet in a workbook; default: the first visible sheet. */
  readonly sheet?: string | undefined;
  /** Encoding of a text file that is neither UTF-8 nor UTF-16. */
  readonly encoding?: Encoding | undefined;
}

/**
 * Reads CSV in any dialect, or a sheet of a workbook.
 * @param what names the file in errors
 * @throws Problem `invalid` if the file is not a table
 */
export function readTableFile(bytes: Uint8Array, what: string, options: FileOptions = {}): Table {
  const isWorkbook = nonTextKindOf(bytes) === "zip";
  if (!isWorkbook && options.sheet !== undefined)
    throw invalid(`${what} is not a workbook, so it has no sheets: remove --sheet.`);
  if (isWorkbook && options.encoding !== undefined)
    throw invalid(`${what} is a workbook, so it has no encoding to choose: remove --encoding.`);
  const { table, fault, sheets, encoding } = readTableBytes(bytes, {
    ...options,
    most: MAX_ROWS,
    maxBytes: MAX_UNPACKED,
  });
  if (table) return table;
  if (fault?.fault === "noSheet") {
    const names = sheets?.map((each) => JSON.stringify(each)).join(", ");
    throw invalid(`${what} has no sheet ${JSON.stringify(options.sheet ?? "")}; it has ${names || "none"}.`);
  }
  throw noFile(what, fault ?? { fault: "empty" }, { bytes, encoding });
}
