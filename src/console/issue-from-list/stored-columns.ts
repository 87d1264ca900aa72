import type { ColumnUse } from "./guess-columns.js";

type Uses = readonly (ColumnUse | null | undefined)[];

/** Declared here, because tests read lists without a browser. */
declare const localStorage: {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
};

const KEY = "console.columns";
/** Maximum number of sets of headings whose column meanings are stored; the oldest are removed. */
const MOST = 50;

/** Column meanings in the order of their headings, by a hash of these headings, which reveals no names. */
type Stored = Readonly<Record<string, Uses>>;

/** Returns the meanings that were last chosen in this browser for a table with these headings, in any order. */
export function storedMeanings(headings: readonly string[]): Uses | undefined {
  const uses = readStored()[nameOf(headings)];
  if (!Array.isArray(uses) || uses.length !== headings.length) return undefined;
  const meanings: (ColumnUse | null | undefined)[] = [];
  for (const [column, index] of inOrder(headings).entries()) meanings[index] = uses[column];
  return meanings;
}

/** Stores the meanings for the next table with these headings. */
export function storeMeanings(headings: readonly string[], meanings: Uses): void {
  const uses = inOrder(headings).map((index) => meanings[index] ?? null);
  const { [nameOf(headings)]: _, ...others } = readStored();
  const stored = [...Object.entries(others).slice(1 - MOST), [nameOf(headings), uses]];
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(stored)));
  } catch {
    // The meanings only hold for this list.
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

/** Returns a hash (FNV-1a, twice) of the set of headings, because the first row may contain a learner after all. */
function nameOf(headings: readonly string[]): string {
  const text = JSON.stringify([...headings].sort(compare));
  const hash = (start: number) => {
    let value = start;
    for (const letter of text) value = Math.imul(value ^ (letter.codePointAt(0) ?? 0), 0x01000193);
    return (value >>> 0).toString(36);
  };
  // starts with a letter, because keys that are numbers would lose their order
  return `h${hash(0x811c9dc5)}-${hash(0x050c5d1f)}`;
}
