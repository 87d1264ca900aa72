/** What a spreadsheet would run as a formula, also behind blanks, and with the full-width signs that it takes for these. */
const FORMULA = /^[\s\u200b\u2060\ufeff]*[=+\-@\uff0b\uff0d\uff1d\uff20]/u;

/** Writes CSV that Excel and LibreOffice open by a double click: UTF-8 with a byte order mark, CRLF (RFC 4180). */
export function writeCsv(rows: readonly (readonly string[])[], delimiter: string): string {
  return `\ufeff${rows.map((row) => `${row.map((cell) => csvCell(cell, delimiter)).join(delimiter)}\r\n`).join("")}`;
}

/** The media type of what `writeCsv` writes. */
export const CSV_TYPE = "text/csv;charset=utf-8";

/** Excel splits cells at the list separator of its user: a semicolon where decimals have a comma. */
export function usualDelimiter(language: string): "," | ";" {
  return new Intl.NumberFormat(language, { numberingSystem: "latn" }).format(1.5).includes(",") ? ";" : ",";
}

/** What would be run gets an apostrophe in front. */
function csvCell(cell: string, delimiter: string): string {
  const harmless = FORMULA.test(cell) ? `'${cell.trim()}` : cell;
  const quoted = harmless.includes(delimiter) || /["\r\n]|^\s|\s$/u.test(harmless);
  return quoted ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
