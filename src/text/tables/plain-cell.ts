/**
 * Returns what a cell shows. Exports write `="001"` or `'001` so that a spreadsheet keeps the zeros, and `'=…`
 * so that it runs no formula. An apostrophe before a letter belongs to the name: 't Hooft.
 */
export function plainCell(cell: string): string {
  const trimmed = trim(cell);
  const asText = /^="((?:[^"]|"")*)"$/.exec(trimmed)?.[1];
  if (asText !== undefined) return trim(asText.replaceAll('""', '"'));
  return /^'[\d=+\-@\uff0b\uff0d\uff1d\uff20]/u.test(trimmed) ? trim(trimmed.slice(1)) : trimmed;
}

/** Removes white space and invisible marks at both ends, which cells that were copied from pages have. */
function trim(text: string): string {
  return text.replace(/^[\s\u200b\u2060\ufeff]+|[\s\u200b\u2060\ufeff]+$/gu, "");
}
