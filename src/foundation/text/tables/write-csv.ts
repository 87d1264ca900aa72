/** Matches cells that a spreadsheet would run as formulas, including those with leading blanks or full-width signs. */
const FORMULA = /^[\s\u200b\u2060\ufeff]*[=+\-@\uff0b\uff0d\uff1d\uff20]/u;

/** Writes CSV (RFC 4180) that Excel and LibreOffice open directly: UTF-8 with a byte order mark, CRLF. */
export function writeCsv(rows: readonly (readonly string[])[], delimiter: string): string {
  return `\ufeff${rows.map((row) => `${row.map((cell) => csvCell(cell, delimiter)).join(delimiter)}\r\n`).join("")}`;
}

/** Maximum number of rows below the headings. Spreadsheet programs can open about this many. */
export const MAX_ROWS = 1_000_000;

/**
 * Writes CSV for spreadsheet programs in a language.
 * @param rows the headings, then the rows. Only the first `MAX_ROWS` rows are written
 */
export function writeSheet(
  rows: readonly (readonly string[])[],
  language: string,
): { readonly text: string; readonly isShortened: boolean } {
  const text = writeCsv(rows.slice(0, 1 + MAX_ROWS), usualDelimiter(language));
  return { text, isShortened: rows.length > 1 + MAX_ROWS };
}

export const CSV_TYPE = "text/csv;charset=utf-8";

/** Returns a semicolon for languages whose decimals have a comma, as Excel expects. */
export function usualDelimiter(language: string): "," | ";" {
  return new Intl.NumberFormat(language, { numberingSystem: "latn" }).format(1.5).includes(",") ? ";" : ",";
}

/** Quotes a cell if necessary. A cell that would be run as a formula gets a leading apostrophe. */
function csvCell(cell: string, delimiter: string): string {
  const harmless = FORMULA.test(cell) ? `'${cell.trim()}` : cell;
  const quoted = harmless.includes(delimiter) || /["\r\n]|^\s|\s$/u.test(harmless);
  return quoted ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
