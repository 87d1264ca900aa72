import { invalid } from "../errors.js";
import { decodeText, noTextOf } from "../text/tables/decode-text.js";
import { readTable } from "../text/tables/read-table.js";
import type { Table } from "../text/tables/table.js";
import { type NoWorkbook, readWorkbook } from "../text/tables/workbook/read-workbook.js";
import { MAX_ROWS, noTable } from "./read-table.js";

/** A workbook that unpacks to more is refused. */
const MAX_UNPACKED = 512 * 1024 * 1024;

/**
 * Reads a table by what the file is: CSV of any dialect, or a sheet of a workbook.
 * @param what names the file in errors
 * @param sheet of a workbook; by default the first that is not hidden
 * @throws Problem `invalid` if it is no table
 */
export function readTableFile(bytes: Uint8Array, what: string, sheet?: string): Table {
  const kind = noTextOf(bytes);
  if (kind === "workbook" || kind === "binary") throw invalid(`${what}${inWords(kind)}`);
  if (kind === undefined && sheet !== undefined) throw invalid(`${what} is no workbook: it has no sheets.`);
  const table =
    kind === undefined
      ? readTable(decodeText(bytes), { most: MAX_ROWS, isStrict: true })
      : readWorkbook(bytes, { sheet, most: MAX_ROWS, mostBytes: MAX_UNPACKED });
  if (!("fault" in table)) return table;
  if (table.fault === "noSheet") {
    const names = "sheets" in table ? table.sheets?.map((each) => JSON.stringify(each)).join(", ") : "";
    throw invalid(`${what} has no sheet ${JSON.stringify(sheet ?? "")}; it has ${names || "none"}.`);
  }
  if (isOfWorkbook(table.fault)) throw invalid(`${what}${inWords(table.fault)}`);
  throw noTable(what, table as Parameters<typeof noTable>[1]);
}

function isOfWorkbook(fault: string): fault is Exclude<NoWorkbook, "noSheet"> {
  return fault === "workbook" || fault === "damagedWorkbook" || fault === "tooManyCells";
}

function inWords(fault: Exclude<NoWorkbook, "noSheet"> | "binary"): string {
  switch (fault) {
    case "workbook":
      return " is no .xlsx workbook, or is protected by a password. Save it as .xlsx, or as CSV UTF-8.";
    case "damagedWorkbook":
      return " is damaged. Open it in Excel or LibreOffice, and save it again.";
    case "tooManyCells":
      return " has more than two million cells, or unpacks to more than 512 MB. Split it.";
    case "binary":
      return " is neither text nor a workbook.";
  }
}
