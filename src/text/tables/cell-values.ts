import type { Row } from "./table.js";

/** What a number in a column of grades means: 85.5 or 0.855 for the same. */
export type GradesAre = (typeof gradeScales)[number];

export const gradeScales = ["percentages", "fractions"] as const;

/** `85`, `85.5`, `85,5 %`; formulas give many decimals. */
const percentage = /^(\d{1,3})(?:[.,](\d{1,20}))?\s*(%?)$/;

/** Decimals of a percentage that are kept. */
const DECIMALS = 6;

/** Reads a percentage from 0 to 100. It is never rounded up. @returns undefined for anything else */
export function readPercentage(cell: string, scale: GradesAre = "percentages"): number | undefined {
  const [, whole, decimals = "", sign] = percentage.exec(cell) ?? [];
  if (whole === undefined) return undefined;
  const isFraction = scale === "fractions" && sign === "";
  const kept = decimals.slice(0, DECIMALS + (isFraction ? 2 : 0));
  const value = Number(`${whole}.${kept}e${isFraction ? 2 : 0}`);
  return value <= 100 ? value : undefined;
}

/** Whether no grade is told: exports of Moodle write a dash. */
export function isNoGrade(cell: string): boolean {
  return /^[-–—]?$/.test(cell);
}

/** In a column in which nothing exceeds 1, `0.855` is likely to stand for 85.5 %. @returns such a cell */
export function likelyFraction(cells: readonly string[]): string | undefined {
  const values = cells
    .filter((cell) => !isNoGrade(cell) && !cell.includes("%"))
    .map((cell) => ({ cell, value: Number(cell.replace(",", ".")) }));
  if (!values.every(({ value }) => value <= 1)) return undefined;
  return values.find(({ value }) => value > 0 && value < 1)?.cell;
}

/** What a spreadsheet shows in place of a value that it can't compute. */
export function isErrorValue(cell: string): boolean {
  return /^(?:#(?:N\/A|VALUE!|REF!|DIV\/0!|NAME\?|NUM!|NULL!|SPILL!|CALC!|FIELD!)|Err:\d{3})$/.test(cell);
}

/**
 * Reads a day: `2026-06-30`, `30.06.2026`, or what a workbook knows to be one. With slashes, either part may be the
 * month.
 * @returns `2026-06-30`; undefined for what is no day, or could be two
 */
export function readDay({ cells, days }: Row, column: number): string | undefined {
  const known = days?.[column];
  if (known !== undefined) return known;
  const cell = cells[column] ?? "";
  const numbers = (pattern: RegExp) => pattern.exec(cell)?.slice(1).map(Number);
  const [year, month, day] = numbers(/^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/) ?? [];
  if (year !== undefined) return existing(year, month, day);
  const dotted = numbers(/^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})$/);
  if (dotted) return existing(dotted[2], dotted[1], dotted[0]);
  const [first, second, last] = numbers(/^(\d{1,2})[/-](\d{1,2})[/-](\d{4})$/) ?? [];
  const both = [existing(last, second, first), existing(last, first, second)].filter(
    (each) => each !== undefined,
  );
  return new Set(both).size === 1 ? both[0] : undefined;
}

function existing(year = 0, month = 0, day = 0): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day));
  const isSame =
    date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isSame ? date.toISOString().slice(0, 10) : undefined;
}

/** Turns a name as lists sort it, `Kovač, Ana`, into one that is printed. */
export function printedName(sortedName: string): string {
  const [family = "", ...given] = sortedName.split(",").map((part) => part.trim());
  return [...given, family].filter((part) => part !== "").join(" ");
}
