/**
 * Returns the text of a cell in one line. Exports write `="001"` or `'001` to keep zeros in spreadsheets, and `'=…` so
 * that the spreadsheet doesn't run a formula. An apostrophe before a letter is part of the name: 't Hooft.
 */
export function plainCell(cell: string): string {
  const trimmed = trim(cell);
  const asText = /^="((?:[^"]|"")*)"$/.exec(trimmed)?.[1];
  if (asText !== undefined) return inOneLine(trim(asText.replaceAll('""', '"')));
  return inOneLine(/^'[\d=+\-@\uff0b\uff0d\uff1d\uff20]/u.test(trimmed) ? trim(trimmed.slice(1)) : trimmed);
}

/** Joins the lines of a cell. Authors insert line breaks (Alt+Enter) only to fit the width of the cell. */
function inOneLine(text: string): string {
  if (!/[\r\n\u2028\u2029]/.test(text)) return text;
  return text
    .split(/[\r\n\u2028\u2029]+/)
    .map(trim)
    .filter((line) => line !== "")
    .join(" ");
}

/**
 * Removes white space and invisible characters at both ends, which are common in cells copied from web pages. A regular
 * expression would take quadratic time for a long run of blanks.
 */
function trim(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isBlank(text, start)) start++;
  while (end > start && isBlank(text, end - 1)) end--;
  return text.slice(start, end);
}

function isBlank(text: string, index: number): boolean {
  const letter = text[index] ?? "";
  return letter === "\u200b" || letter === "\u2060" || letter.trim() === "";
}
