import { invalid } from "#foundation/errors.js";

const MAX_TABLES = 64;

export type FontTables = ReadonlyMap<string, Buffer>;

/**
 * Reads the table directory (OpenType specification, "Table Directory").
 * @throws Problem `invalid` if tables overlap or lie outside the file
 */
export function readTables(bytes: Buffer): FontTables {
  const count = bytes.readUInt16BE(4);
  if (count === 0 || count > MAX_TABLES || bytes.length < 12 + 16 * count) {
    throw broken(`it declares ${count} tables`);
  }
  const entries = Array.from({ length: count }, (_, i) => {
    const at = 12 + 16 * i;
    const start = bytes.readUInt32BE(at + 8);
    return { tag: bytes.toString("latin1", at, at + 4), start, end: start + bytes.readUInt32BE(at + 12) };
  });
  let free = 12 + 16 * count;
  for (const { tag, start, end } of entries.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    if (end > bytes.length) throw broken(`its table "${tag}" goes past the end of the file`);
    if (start < free) throw broken(`its table "${tag}" overlaps another`);
    free = end;
  }
  const tables = new Map(entries.map(({ tag, start, end }) => [tag, bytes.subarray(start, end)]));
  if (tables.size < count) throw broken("it has a table twice");
  return tables;
}

/** @throws Problem `invalid` if the font lacks the table */
export function fontTableOf(tables: FontTables, tag: string): Buffer {
  const table = tables.get(tag);
  if (!table) throw broken(`it has no table "${tag}"`);
  return table;
}

/** @param reason a clause in which "it" refers to the font */
export function broken(reason: string): Error {
  return invalid(
    `The font is broken: ${reason}. Download the font again from its maker, and upload the new file.`,
  );
}
