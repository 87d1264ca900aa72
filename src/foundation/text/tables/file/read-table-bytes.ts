import {
  decodeText,
  detectEncoding,
  type NonTextKind,
  nonTextKindOf,
  type TextFault,
} from "../decode-text.js";
import type { Delimiter } from "../dialect.js";
import type { Encoding } from "../encodings.js";
import { readTable } from "../read-table.js";
import type { Table, TableFault } from "../table.js";
import { readWorkbook, type WorkbookFault } from "../workbook/read-workbook.js";

interface TableOptions {
  /** Maximum number of rows below the headings. */
  readonly most: number;
  /** For workbooks: maximum unpacked size. */
  readonly maxBytes: number;
  readonly sheet?: string | undefined;
  readonly encoding?: Encoding | undefined;
  readonly delimiter?: Delimiter | undefined;
}

export interface FileFault extends Omit<TableFault, "fault"> {
  readonly fault:
    | TableFault["fault"]
    | Exclude<NonTextKind, "zip">
    | TextFault
    | WorkbookFault
    | "unknownEncoding";
}

export interface ReadTableFile {
  /** For text files. */
  readonly encoding?: Encoding;
  /** For workbooks: the names of the sheets, and the name of the sheet that was read. */
  readonly sheets?: readonly string[];
  readonly sheet?: string;
  readonly table?: Table;
  readonly fault?: FileFault;
}

/** Reads a table: CSV of any dialect, or a sheet of a workbook. */
export function readTableBytes(bytes: Uint8Array, options: TableOptions): ReadTableFile {
  const kind = nonTextKindOf(bytes);
  if (kind === "zip") {
    const { sheets, sheet, ...book } = readWorkbook(bytes, options);
    return { ...(sheets && { sheets }), ...(sheet !== undefined && { sheet }), ...either(book) };
  }
  if (kind) return { fault: { fault: kind } };
  const encoding = options.encoding ?? detectEncoding(bytes);
  if (!encoding) return { fault: { fault: "unknownEncoding" } };
  const decoded = decodeText(bytes, encoding);
  return { encoding, ...either("fault" in decoded ? decoded : readTable(decoded.text, options)) };
}

function either(read: Table | FileFault): { readonly table: Table } | { readonly fault: FileFault } {
  return "fault" in read ? { fault: read } : { table: read };
}
