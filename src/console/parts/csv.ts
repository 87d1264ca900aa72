/** A spreadsheet would run a cell that begins with one of these as a formula. */
const startsFormula = /^[=+\-@\t\r]/;

/** One record of CSV (RFC 4180). A cell that a spreadsheet would run is kept from it by an apostrophe. */
export function csvRecord(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(text: string): string {
  const safe = startsFormula.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Has the browser save a text. Excel needs the mark at its beginning to read it as UTF-8. */
export function saveCsv(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob(["\ufeff", text], { type: "text/csv;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
