import type { Delimiter } from "./dialect.js";

/**
 * Writes CSV that Excel and LibreOffice open by a double click: UTF-8 with a byte order mark, CRLF (RFC 4180). What
 * a spreadsheet would run as a formula gets an apostrophe in front.
 */
export function writeCsv(rows: readonly (readonly string[])[], delimiter: Delimiter): string {
  return `\ufeff${rows.map((row) => `${row.map((cell) => csvCell(cell, delimiter)).join(delimiter)}\r\n`).join("")}`;
}

/** Excel splits cells at the list separator of its user: a semicolon where decimals have a comma. */
export function usualDelimiter(language: string): "," | ";" {
  return new Intl.NumberFormat(language, { numberingSystem: "latn" }).format(1.5).includes(",") ? ";" : ",";
}

function csvCell(cell: string, delimiter: Delimiter): string {
  const harmless = /^[\s\u200b\u2060\ufeff]*[=+\-@\uff0b\uff0d\uff1d\uff20]/u.test(cell)
    ? `'${cell.trim()}`
    : cell;
  const quoted = harmless.includes(delimiter) || /["\r\n]|^\s|\s$/u.test(harmless);
  return quoted ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
