import { decodeText, detectEncoding, type NoText, noTextOf, type WrongText } from "../decode-text.js";
import type { Delimiter } from "../dialect.js";
import type { Encoding } from "../encodings.js";
import { readTable } from "../read-table.js";
import type { NoTable, Table } from "../table.js";
import { type NoWorkbook, readWorkbook } from "../workbook/read-workbook.js";

/** What is known of a file beside its bytes. */
export interface TableOptions {
  /** Rows below the headings. */
  readonly most: number;
  /** Of a workbook: what it may unpack to. */
  readonly mostBytes: number;
  readonly sheet?: string | undefined;
  readonly encoding?: Encoding | undefined;
  readonly delimiter?: Delimiter | undefined;
}

/** Why a file can't be read. */
export interface NoFile extends Omit<NoTable, "fault"> {
  readonly fault: NoTable["fault"] | Exclude<NoText, "zip"> | WrongText | NoWorkbook | "unknownEncoding";
}

/** A file as far as it could be read. */
export interface ReadFile {
  /** Of text. */
  readonly encoding?: Encoding;
  /** Of a workbook: its sheets, and which one was read. */
  readonly sheets?: readonly string[];
  readonly sheet?: string;
  readonly table?: Table;
  readonly fault?: NoFile;
}

/** Reads a table by what the file is: CSV of any dialect, or a sheet of a workbook. */
export function readTableBytes(bytes: Uint8Array, options: TableOptions): ReadFile {
  const kind = noTextOf(bytes);
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

function either(read: Table | NoFile): { readonly table: Table } | { readonly fault: NoFile } {
  return "fault" in read ? { fault: read } : { table: read };
}
