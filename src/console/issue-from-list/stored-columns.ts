import type { ColumnUse } from "./guess-columns.js";

type Uses = readonly (ColumnUse | null | undefined)[];

/** The part of the browser's type that is used here. Tests are compiled without the types of browsers. */
declare const localStorage: {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
};

const KEY = "console.columns";
/** Maximum number of lists whose meanings are stored. The oldest are removed. */
const MAX_STORED = 50;

/** The meanings of columns, sorted by heading. Each key is a hash of all headings, so that no names are stored. */
type Stored = Readonly<Record<string, Uses>>;

/**
 * Returns the meanings that were last selected in this browser for columns with these headings, in whatever order the
 * columns were.
 */
export function storedMeanings(headings: readonly string[]): Uses | undefined {
  const uses = readStored()[nameOf(headings)];
  if (!Array.isArray(uses) || uses.length !== headings.length) return undefined;
  const meanings: (ColumnUse | null | undefined)[] = [];
  for (const [column, index] of inOrder(headings).entries()) meanings[index] = uses[column];
  return meanings;
}

export function storeMeanings(headings: readonly string[], meanings: Uses): void {
  const uses = inOrder(headings).map((index) => meanings[index] ?? null);
  const { [nameOf(headings)]: _, ...others } = readStored();
  const stored = [...Object.entries(others).slice(1 - MAX_STORED), [nameOf(headings), uses]];
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(stored)));
  } catch {
    // If they can't be stored, the meanings are only used for this list.
  }
}

function readStored(): Stored {
  try {
    return (JSON.parse(localStorage.getItem(KEY) ?? "{}") as Stored | null) ?? {};
  } catch {
    return {};
  }
}

function inOrder(headings: readonly string[]): number[] {
  const order = headings.map((_, index) => index);
  return order.sort((a, b) => compare(headings[a] ?? "", headings[b] ?? "") || a - b);
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/**
 * Hashes the set of headings (FNV-1a, twice). The headings aren't stored, because the first row may contain a learner.
 */
function nameOf(headings: readonly string[]): string {
  const text = JSON.stringify([...headings].sort(compare));
  const hash = (start: number) => {
    let value = start;
    for (const letter of text) value = Math.imul(value ^ (letter.codePointAt(0) ?? 0), 0x01000193);
    return (value >>> 0).toString(36);
  };
  // The key starts with a letter, because objects move keys that are numbers to the front.
  return `h${hash(0x811c9dc5)}-${hash(0x050c5d1f)}`;
}
