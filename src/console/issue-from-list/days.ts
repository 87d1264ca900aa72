import { languageTags } from "#foundation/languages/list.js";
import { plainDigits } from "#foundation/text/tables/cell-values.js";
import type { Row } from "#foundation/text/tables/table.js";

/** Which part of `03/04/2026` comes first: the day or the month. */
export type DayOrder = (typeof dayOrders)[number];

export const dayOrders = ["dayFirst", "monthFirst"] as const;

/** Matches a time after a day. Its time zone is ignored, and the day is used as written. */
const time =
  /(?:T|,?\s+)\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?(?:\s*[AP]M)?(?:\s*(?:Z|UTC|GMT|[+-]\d\d:?\d\d))?$/i;
const slashed = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})$/;

/**
 * Reads a day, for example `2026-06-30`, `30.06.2026` or `30 June 2026`, with or without a time. Also reads a date cell
 * of a workbook.
 * @param order which part of dates such as `03/04/2026` comes first
 * @returns the day as `2026-06-30`; undefined if the text is ambiguous or not a day
 */
export function readDay(
  { cells, days }: Pick<Row, "cells" | "days">,
  column: number,
  order?: DayOrder,
): string | undefined {
  const dateCell = days?.[column];
  if (dateCell !== undefined) return dateCell;
  const cell = withoutTime(cells[column] ?? "");
  const numbers = (pattern: RegExp) => pattern.exec(cell)?.slice(1).map(Number);
  const [year, month, day] = numbers(/^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/) ?? [];
  if (year !== undefined) return dayIfExists(year, month, day);
  const dotted = numbers(/^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})$/);
  if (dotted) return dayIfExists(dotted[2], dotted[1], dotted[0]);
  const either = numbers(slashed);
  return either ? inOrder(either, order) : inWords(cell);
}

/**
 * Finds the order in which all dates such as `03/04/2026` in a column are valid.
 * @returns `order` if only one order is possible; `unclear` with an example if both are possible and give different
 * days; otherwise neither
 */
export function orderOfDays(cells: readonly string[]): {
  readonly order?: DayOrder;
  readonly unclear?: string;
} {
  const written = cells
    .map((cell) => ({ cell, parts: slashed.exec(withoutTime(cell))?.slice(1).map(Number) }))
    .flatMap(({ cell, parts }) => (parts ? [{ cell, parts }] : []));
  const fitting = dayOrders.filter((order) =>
    written.every(({ parts }) => inOrder(parts, order) !== undefined),
  );
  if (fitting.length === 1) return { order: fitting[0] as DayOrder };
  const example = written.find(
    ({ parts }) =>
      inOrder(parts, undefined) === undefined && inOrder(parts, "dayFirst") && inOrder(parts, "monthFirst"),
  );
  return example && fitting.length === 2 ? { unclear: example.cell } : {};
}

/** Maximum length of a cell that contains a day. */
const MAX_CHARACTERS = 80;

function withoutTime(cell: string): string {
  if (cell.length > MAX_CHARACTERS) return "";
  return plainDigits(cell).replace(time, "").trim();
}

function inOrder([first, second, year]: readonly number[], order: DayOrder | undefined): string | undefined {
  const dayFirst = dayIfExists(year, second, first);
  const monthFirst = dayIfExists(year, first, second);
  if (order) return order === "dayFirst" ? dayFirst : monthFirst;
  const both = [dayFirst, monthFirst].filter((each) => each !== undefined);
  return new Set(both).size === 1 ? both[0] : undefined;
}

/** Reads `30 June 2026`, `30 de junio de 2026` and `June 30th, 2026`, also after a weekday. */
function inWords(cell: string): string | undefined {
  const text = cell.replace(/^\p{L}+\.?,\s+/u, "");
  const [, day, name, year] =
    /^(\d{1,2})(?:\.|º|er|st|nd|rd|th)?[\s-]+(?:de\s+)?([\p{L}\p{M}]+)\.?,?[\s-]+(?:de\s+)?(\d{4})(?:\s*р\.)?$/iu.exec(
      text,
    ) ?? [];
  if (name !== undefined) return dayIfExists(Number(year), monthNamed(name), Number(day));
  const [, first, second, last] =
    /^([\p{L}\p{M}]+)\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})$/iu.exec(text) ?? [];
  return first === undefined ? undefined : dayIfExists(Number(last), monthNamed(first), Number(second));
}

let months: ReadonlyMap<string, number> | undefined;

/** @returns undefined if no language of the console has a month with this name */
function monthNamed(name: string): number | undefined {
  months ??= new Map(
    languageTags.flatMap((language) =>
      Array.from({ length: 12 }, (_, index) =>
        namesOf(language, index).map((each) => [nameKey(each), index + 1] as const),
      ).flat(),
    ),
  );
  return months.get(nameKey(name));
}

function namesOf(language: string, index: number): string[] {
  const day = Date.UTC(2026, index, 1);
  return (["long", "short"] as const).flatMap((month) =>
    [{}, { day: "numeric" as const }].map(
      (more) =>
        new Intl.DateTimeFormat(language, { month, ...more, timeZone: "UTC" })
          .formatToParts(day)
          .find(({ type }) => type === "month")?.value ?? "",
    ),
  );
}

function nameKey(name: string): string {
  return name.toLowerCase().replace(/\./g, "");
}

function dayIfExists(year = 0, month = 0, day = 0): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day));
  const isSame =
    date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isSame ? date.toISOString().slice(0, 10) : undefined;
}
