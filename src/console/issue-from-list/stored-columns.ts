import type { ColumnUse } from "./guess-columns.js";

type Uses = readonly (ColumnUse | null | undefined)[];

/** Declared here, as tests read lists where there is no browser. */
declare const localStorage: {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
};

const KEY = "console.columns";
/** Sets of headings whose columns are kept; the oldest are forgotten. */
const MOST = 50;

/** Columns in the order of their headings, by a number that stands for these headings and tells nobody's name. */
type Stored = Readonly<Record<string, Uses>>;

/** What the columns of a table with these headings, in any order, were last said to be in this browser. */
export function storedMeanings(headings: readonly string[]): Uses | undefined {
  const uses = readStored()[nameOf(headings)];
  if (!Array.isArray(uses) || uses.length !== headings.length) return undefined;
  const meanings: (ColumnUse | null | undefined)[] = [];
  for (const [column, index] of inOrder(headings).entries()) meanings[index] = uses[column];
  return meanings;
}

/** Keeps it for the next table with these headings. */
export function storeMeanings(headings: readonly string[], meanings: Uses): void {
  const uses = inOrder(headings).map((index) => meanings[index] ?? null);
  const { [nameOf(headings)]: _, ...others } = readStored();
  const stored = [...Object.entries(others).slice(1 - MOST), [nameOf(headings), uses]];
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(stored)));
  } catch {
    // It holds for this list.
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

/** A hash (FNV-1a, twice) of the set of headings: the first row may hold a learner after all. */
function nameOf(headings: readonly string[]): string {
  const text = JSON.stringify([...headings].sort(compare));
  const hash = (start: number) => {
    let value = start;
    for (const letter of text) value = Math.imul(value ^ (letter.codePointAt(0) ?? 0), 0x01000193);
    return (value >>> 0).toString(36);
  };
  // a letter first: keys that are numbers would lose their order
  return `h${hash(0x811c9dc5)}-${hash(0x050c5d1f)}`;
}
