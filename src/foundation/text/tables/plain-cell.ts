/**
 * Returns what a cell shows, in one line. Exports write `="001"` or `'001` so that a spreadsheet keeps the zeros, and
 * `'=…` so that it runs no formula. An apostrophe before a letter belongs to the name: 't Hooft.
 */
export function plainCell(cell: string): string {
  const trimmed = trim(cell);
  const asText = /^="((?:[^"]|"")*)"$/.exec(trimmed)?.[1];
  if (asText !== undefined) return inOneLine(trim(asText.replaceAll('""', '"')));
  return inOneLine(/^'[\d=+\-@\uff0b\uff0d\uff1d\uff20]/u.test(trimmed) ? trim(trimmed.slice(1)) : trimmed);
}

/** Lines of a cell (Alt+Enter) are a matter of its width. */
function inOneLine(text: string): string {
  if (!/[\r\n\u2028\u2029]/.test(text)) return text;
  return text
    .split(/[\r\n\u2028\u2029]+/)
    .map(trim)
    .filter((line) => line !== "")
    .join(" ");
}

/**
 * Removes white space and invisible marks at both ends, which cells that were copied from pages have. A regular
 * expression would take the square of the time for a long run of blanks.
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
