import { createBoundedCache } from "../../../concurrency/bounded-cache.js";

/** A calendar other than the Gregorian, by its name in `Intl`. */
export type Calendar =
  | "japanese"
  | "roc"
  | "dangi"
  | "islamic-civil"
  | "islamic-umalqura"
  | "buddhist"
  | "hebrew";

interface CalendarDate {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
}

/** The Korean calendar counts years from Dangun; its days and months are Gregorian. */
const DANGUN = 2333;

/** @returns undefined if the months of the calendar have no numbers */
export function dateIn(calendar: Calendar | undefined, day: Date): CalendarDate | undefined {
  const [gregorianYear, month, date] = [day.getUTCFullYear(), day.getUTCMonth() + 1, day.getUTCDate()];
  if (calendar === undefined) return { year: gregorianYear, month, day: date };
  if (calendar === "dangi") return { year: gregorianYear + DANGUN, month, day: date };
  const parts = partsOf(`en-u-ca-${calendar}-nu-latn`, day, {
    year: "numeric",
    month: "numeric",
    day: "numeric",
  });
  const read = (type: string) => Number.parseInt(parts.get(type) ?? "", 10);
  const inCalendar = { year: read("year"), month: read("month"), day: read("day") };
  return Object.values(inCalendar).some(Number.isNaN) ? undefined : inCalendar;
}

/** Returns the era of a day, in a length that depends on the number of letters in the format: `R`, `令`, `令和`. */
export function eraOf(calendar: Calendar | undefined, day: Date, letters: number): string {
  if (calendar === "roc") return letters > 2 ? "中華民國" : "民國";
  if (calendar !== "japanese") return "";
  const era = letters === 1 ? "narrow" : "long";
  const name = partsOf("ja-u-ca-japanese", day, { era, year: "numeric" }).get("era") ?? "";
  return letters === 2 ? name.slice(0, 1) : name;
}

const MAX_CACHED = 100;

const formatters = createBoundedCache<Intl.DateTimeFormat>(MAX_CACHED);

function partsOf(
  locale: string,
  day: Date,
  options: Intl.DateTimeFormatOptions,
): ReadonlyMap<string, string> {
  const key = JSON.stringify([locale, options]);
  const formatter = formatters(key, () => new Intl.DateTimeFormat(locale, { ...options, timeZone: "UTC" }));
  return new Map(formatter.formatToParts(day).map(({ type, value }) => [type, value]));
}

const namesByKind = createBoundedCache<readonly string[]>(MAX_CACHED);

/**
 * Returns the name of a month (from 0) or of a day of the week (0 for Sunday).
 * @param isWithDay true for the form that is used after a day, as in `1 березня`
 */
export function dateName(
  language: string,
  kind: "month" | "weekday",
  index: number,
  { isShort, isWithDay = false }: { readonly isShort: boolean; readonly isWithDay?: boolean },
): string {
  const key = JSON.stringify([language, kind, isShort, isWithDay]);
  const names = namesByKind(key, () => {
    const format = new Intl.DateTimeFormat(language, {
      timeZone: "UTC",
      calendar: "gregory",
      [kind]: isShort ? "short" : "long",
      ...(isWithDay && { day: "numeric" }),
    });
    // 1 August 2021 was a Sunday.
    const days = Array.from({ length: kind === "month" ? 12 : 7 }, (_, each) =>
      kind === "month" ? Date.UTC(2021, each, 1) : Date.UTC(2021, 7, 1 + each),
    );
    return days.map((day) => format.formatToParts(day).find(({ type }) => type === kind)?.value ?? "");
  });
  return names[index] ?? "";
}
