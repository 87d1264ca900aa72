import {
  isNoGrade,
  isWrittenGrade,
  MAX_HOURS,
  plainDigits,
  readTotal,
  readVerdict,
  storedCell,
  unclearGrades,
} from "#foundation/text/tables/cell-values.js";
import {
  type ColumnMeaning,
  isPercentHeading,
  mayHaveGrades,
  meaningOfHeading,
  meaningsOfHeadings,
  personalMeanings,
} from "#foundation/text/tables/column-headings.js";
import { countSums, withoutNotes } from "#foundation/text/tables/gradebook-notes.js";
import type { Row, Table } from "#foundation/text/tables/table.js";
import { attributeKey } from "./attribute-key.js";
import { orderOfDays, readDay } from "./days.js";

/** A known meaning, or the key under which designs can print the column. */
export type ColumnUse = ColumnMeaning | `attribute.${string}`;

export interface GuessedColumns {
  /** Whether the first row contains headings. */
  readonly hasHeadings: boolean;
  readonly meanings: readonly (ColumnUse | undefined)[];
}

const SAMPLE_ROWS = 200;

/** Number of characters of a cell to use for guessing. The time for matching grows with the square of the length. */
const MAX_CHARACTERS = 300;

/** Share of a column's non-empty cells that must match. */
const MIN_SHARE = 0.8;

const emailShape = /^[^\s@<>,;"]+@[^\s@<>,;"]+\.[^\s@<>,;".]{2,}$/u;
const usernameShape = /^[\p{L}\p{N}_.+~-]{2,150}$/u;

/**
 * Guesses the meanings of columns by their headings, and then by their contents. No two columns get the same meaning.
 * @param filled whether the first row contains headings; guessed if undefined
 */
export function guessColumns({ rows, width }: Table, filled?: boolean): GuessedColumns {
  const first = Array.from({ length: width }, (_, index) => rows[0]?.cells[index] ?? "");
  const hasHeadings = filled ?? looksLikeHeadings(first, rows.slice(1));
  const taken = new Set<ColumnMeaning>();
  const take = (meaning: ColumnMeaning | undefined) => {
    if (meaning === undefined || taken.has(meaning)) return undefined;
    taken.add(meaning);
    return meaning;
  };

  const contents = (hasHeadings ? withoutNotes(first, rows.slice(1)) : rows).slice(0, SAMPLE_ROWS);
  const byHeading = first.map(() => undefined as ColumnMeaning | undefined);
  if (hasHeadings) {
    for (const [index, recognised] of meaningsOfHeadings(first).entries()) {
      const meaning = recognised ?? (mayHaveGrades(first[index] ?? "") ? "grade" : undefined);
      byHeading[index] = fits(meaning, contents, { index, heading: first[index] ?? "" })
        ? take(sorted(meaning, contents, index))
        : undefined;
    }
  }
  const guessed = byContents(byHeading, contents, take);
  const meanings = hasHeadings ? withOtherGrades(guessed, first, contents) : guessed;
  return { hasHeadings, meanings };
}

/** Grades on another scale, for example 1,3 or 28/30, are treated as letter grades and printed unchanged. */
function withOtherGrades(
  guessed: readonly (ColumnMeaning | undefined)[],
  headings: readonly string[],
  rows: readonly Row[],
): (ColumnUse | undefined)[] {
  let hasLetters = guessed.includes("letterGrade");
  return guessed.map((meaning, index): ColumnUse | undefined => {
    const heading = headings[index] ?? "";
    const cells = cellsOf(rows, index).filter((cell) => !isNoGrade(cell));
    const isOther =
      meaning === undefined &&
      mayHaveGrades(heading) &&
      (unclearGrades(cells)?.may === "scale" || mostMatch(cells, isWrittenGrade));
    if (!isOther) return meaning;
    if (hasLetters) return `attribute.${attributeKey(heading, index, [])}`;
    hasLetters = true;
    return "letterGrade";
  });
}

/** Returns the rows of learners, and the rows of totals below them. */
export function rowsOfLearners(
  { rows }: Table,
  { hasHeadings, meanings }: GuessedColumns,
): { readonly rows: readonly Row[]; readonly sums: readonly Row[] } {
  const listed = hasHeadings ? rows.slice(1) : rows;
  const people = meanings.flatMap((each, index) =>
    personalMeanings.some((personal) => personal === each) ? [index] : [],
  );
  const last = listed.length - countSums(listed, people);
  return {
    rows: hasHeadings ? withoutNotes(rows[0]?.cells ?? [], listed.slice(0, last)) : listed.slice(0, last),
    sums: listed.slice(last),
  };
}

/** Treats full names as "last, first" if most of them contain a comma: `Kovač, Ana`. */
function sorted(meaning: ColumnMeaning | undefined, rows: readonly Row[], index: number) {
  if (meaning !== "fullName") return meaning;
  return mostMatch(cellsOf(rows, index), (cell) => /^[^,]+, *[^,]+$/.test(cell)) ? "sortedName" : meaning;
}

/** Returns whether a column's contents fit its heading. Grades such as 1.3 and ambiguous dates fit. */
function fits(
  meaning: ColumnMeaning | undefined,
  rows: readonly Row[],
  { index, heading }: { readonly index: number; readonly heading: string },
): boolean {
  const cells = cellsOf(rows, index);
  if (meaning === "grade") {
    const filled = rows.map((row) => storedCell(row, index)).filter((cell) => !isNoGrade(cell));
    const isPercent = (cell: string) => /[%٪％]/.test(cell) || isPercentHeading(heading);
    return mostMatch(filled, (cell) => isPercent(cell) && readTotal(cell) !== undefined);
  }
  if (meaning === "passed") return mostMatch(cells, (cell) => readVerdict(cell) !== undefined);
  if (meaning === "hours") return mostMatch(cells, (cell) => readHours(cell) !== undefined);
  if (meaning !== "awardDate") return true;
  const { unclear } = orderOfDays(cells);
  const order = unclear === undefined ? orderOfDays(cells).order : "dayFirst";
  const days = rows.filter((row) => row.cells[index]).map((row) => readDay(row, index, order) ?? "");
  return mostMatch(days, (day) => day !== "");
}

/** @returns undefined if the text is not a number of hours */
export function readHours(cell: string): number | undefined {
  const text = plainDigits(cell);
  if (!/^\d{1,6}(?:[.,]\d{1,4})?$/.test(text)) return undefined;
  const hours = Number(text.replace(",", "."));
  return hours > 0 && hours <= MAX_HOURS ? hours : undefined;
}

export function isEmailAddress(text: string): boolean {
  return text.length <= MAX_CHARACTERS && emailShape.test(text);
}

/**
 * Returns whether the first row looks like headings: a cell is a known heading, or a cell in a column of email
 * addresses is not an email address.
 */
function looksLikeHeadings(first: readonly string[], others: readonly Row[]): boolean {
  if (first.some((cell) => meaningOfHeading(cell) !== undefined)) return true;
  if (first.some(isEmailAddress)) return false;
  return first.some((cell, index) => cell !== "" && mostMatch(cellsOf(others, index), isEmailAddress));
}

/**
 * Guesses the meanings of columns by their contents. If any heading is known, a column with an unknown heading is
 * recognised only by its email addresses.
 */
function byContents(
  byHeading: readonly (ColumnMeaning | undefined)[],
  rows: readonly Row[],
  take: (meaning: ColumnMeaning) => ColumnMeaning | undefined,
): (ColumnMeaning | undefined)[] {
  const knowsHeadings = byHeading.some((meaning) => meaning !== undefined);
  return byHeading.map((meaning, index) => {
    if (meaning) return meaning;
    const cells = cellsOf(rows, index);
    if (mostMatch(cells, isEmailAddress)) return take("email");
    if (knowsHeadings) return undefined;
    if (mostMatch(cells, isNameLike)) return take("fullName");
    return mostMatch(cells, isUsernameLike) && areDistinct(cells) ? take("username") : undefined;
  });
}

/** Returns whether a cell contains two words in a row without an @. */
function isNameLike(cell: string): boolean {
  return /\p{L}[^@]*\s[^@]*\p{L}/u.test(cell);
}

/** Returns whether a cell may be a username. A number alone is more often a grade or a row number. */
function isUsernameLike(cell: string): boolean {
  return usernameShape.test(cell) && /\p{L}/u.test(cell);
}

function areDistinct(cells: readonly string[]): boolean {
  return new Set(cells).size > cells.length * MIN_SHARE;
}

function mostMatch(cells: readonly string[], matches: (cell: string) => boolean): boolean {
  return cells.length > 0 && cells.filter(matches).length >= cells.length * MIN_SHARE;
}

function cellsOf(rows: readonly Row[], index: number): string[] {
  return rows
    .slice(0, SAMPLE_ROWS)
    .flatMap(({ cells }) => (cells[index] ? [cells[index].slice(0, MAX_CHARACTERS)] : []));
}
