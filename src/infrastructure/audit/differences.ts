import { shorten } from "#foundation/shorten.js";
import type { AuditChange } from "./audit-entry.js";

/** Maximum number of changes in an entry. The last change says how many more there were. */
export const MAX_CHANGES = 50;

/** Maximum length of a path, and of a value, in characters. */
const MAX_LENGTH = 200;

/** Compares two states value by value. Returns at most `MAX_CHANGES` changes, with shortened values. */
export function differences(
  object: string,
  before: object | undefined,
  after: object | undefined,
): AuditChange[] {
  const [earlier, later] = [valuesOf(before), valuesOf(after)];
  const paths = [...new Set([...earlier.keys(), ...later.keys()])].filter(
    (path) => earlier.get(path) !== later.get(path),
  );
  const listed = paths.slice(0, paths.length > MAX_CHANGES ? MAX_CHANGES - 1 : MAX_CHANGES);
  const changes = listed.map((path) => ({
    object,
    path: storable(path),
    before: storable(earlier.get(path) ?? ""),
    after: storable(later.get(path) ?? ""),
  }));
  const more = paths.length - listed.length;
  return more === 0 ? changes : [...changes, { object, path: "…", before: "", after: String(more) }];
}

/** Returns every innermost value as JSON, by its path. A list of plain values is one value. */
function valuesOf(state: object | undefined): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  const add = (path: string, value: unknown) => {
    if (value === undefined) return;
    const isPlain = typeof value !== "object" || value === null || value instanceof Date;
    const entries = isPlain ? [] : Object.entries(value);
    const isListOfPlain = Array.isArray(value) && value.every((each) => typeof each !== "object");
    if (isPlain || isListOfPlain || entries.length === 0) values.set(path, JSON.stringify(value));
    else for (const [key, inner] of entries) add(`${path}.${key}`, inner);
  };
  for (const [key, value] of Object.entries(state ?? {})) add(key, value);
  return values;
}

/** Shortens a text. Replaces lone surrogates and NUL, which Postgres can't store. */
function storable(text: string): string {
  return shorten(text, MAX_LENGTH).toWellFormed().replaceAll("\0", "\ufffd");
}
