import { createBoundedCache } from "#foundation/concurrency/bounded-cache.js";
import { invalid } from "#foundation/errors.js";
import { EDITION } from "../generator.js";

interface DateContext {
  /** IANA name, for example `Europe/Paris`. */
  timeZone: string;
  /** BCP 47 tag. */
  locale: string;
  /** Edition of the document. Default: the latest */
  edition?: number;
}

/** Formats a day in a language's own words, order and digits (CLDR's long form), in the Gregorian calendar. */
export function formatLongDay(date: Date, { timeZone, locale }: DateContext): string {
  return formatOf(locale, { timeZone, dateStyle: "long" }).format(date);
}

/** Cache, because creating a format takes half as long as rendering a document. */
const formats = createBoundedCache<Intl.DateTimeFormat>(100);

function formatOf(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, options]);
  return formats(key, () => new Intl.DateTimeFormat(locale, { ...options, calendar: "gregory" }));
}

type Fields = (options: Intl.DateTimeFormatOptions, moment?: Date) => Map<string, string>;

const directives: Record<string, (fields: Fields, inflected: boolean) => string> = {
  "%a": (fields) => part(fields({ weekday: "short" }), "weekday"),
  "%A": (fields) => part(fields({ weekday: "long" }), "weekday"),
  "%b": (fields, inflected) => monthName(fields, "short", inflected),
  "%B": (fields, inflected) => monthName(fields, "long", inflected),
  "%d": (fields) => padded(number(fields, "day"), 2),
  "%-d": (fields) => String(number(fields, "day")),
  "%e": (fields) => String(number(fields, "day")).padStart(2),
  "%m": (fields) => padded(number(fields, "month"), 2),
  "%-m": (fields) => String(number(fields, "month")),
  "%y": (fields) => padded(number(fields, "year") % 100, 2),
  "%Y": (fields) => padded(number(fields, "year"), 4),
  "%j": (fields) => padded(dayOfYear(fields), 3),
  "%H": (fields) => padded(hour(fields), 2),
  "%I": (fields) => padded(hour(fields) % 12 || 12, 2),
  "%M": (fields) => padded(number(fields, "minute"), 2),
  "%p": (fields) =>
    part(fields({ hour: "numeric", hour12: true }), "dayPeriod") || (hour(fields) < 12 ? "AM" : "PM"),
  "%x": (fields) => part(fields({ year: "numeric", month: "2-digit", day: "2-digit" }), "whole"),
  "%X": (fields) => part(fields({ timeStyle: "medium" }), "whole"),
  "%Z": (fields) => part(fields({ timeZoneName: "short" }), "timeZoneName"),
  "%%": () => "%",
};

/**
 * Removes a word before the month if the month's inflected name also starts with it. Otherwise the date would be "15 de
 * de gener" in Catalan, or contain "tháng tháng 1" in Vietnamese.
 */
function withoutRepeatedWords(pattern: string, fields: Fields): string {
  return pattern.replace(/(\p{L}+[ ’'])(%[bB])/gu, (match, word: string, directive: string) =>
    wordsBeforeMonths(fields, directive === "%b" ? "short" : "long").has(word.replace("'", "’").toLowerCase())
      ? directive
      : match,
  );
}

/**
 * Formats a moment by a strftime pattern. Names and the order of `%x` and `%X` follow the locale. Digits are Latin and
 * years Gregorian, so that a pattern never mixes calendars.
 * @throws Problem `invalid` for an unknown directive, time zone or locale.
 */
export function formatDate(
  date: Date,
  pattern: string,
  { timeZone, locale, edition = EDITION }: DateContext,
): string {
  const fields: Fields = (options, moment = date) => fieldsOf(moment, { ...options, timeZone }, locale);
  const inflected = /%(?:-?d|e)/.test(pattern);
  const once = inflected && edition > 1 ? withoutRepeatedWords(pattern, fields) : pattern;
  return once.replace(/%(?:-?[^-]|-|$)/gsu, (directive) => {
    const format = directives[directive];
    if (format) return format(fields, inflected);
    const allowed = Object.keys(directives).join(" ");
    throw invalid(`Unknown directive "${directive}" in the date format "${pattern}": use ${allowed}.`);
  });
}

function fieldsOf(date: Date, options: Intl.DateTimeFormatOptions, locale: string): Map<string, string> {
  let format: Intl.DateTimeFormat;
  try {
    format = formatOf(locale, { ...options, numberingSystem: "latn" });
  } catch (cause) {
    throw invalid(
      `Unknown time zone "${options.timeZone}" or locale "${locale}"; use names such as "Europe/Paris" and "en-US".`,
      cause,
    );
  }
  const parts = format.formatToParts(date);
  const match = parts.map(({ value }) => value).join("");
  // ICU puts a narrow no-break space before AM and PM.
  return new Map([
    ...parts.map(({ type, value }) => [type, value] as const),
    ["whole", match.replaceAll("\u202F", " ")],
  ]);
}

/** Many languages inflect the name of the month after a day: "15 января", not "январь". */
function monthName(fields: Fields, month: "short" | "long", inflected: boolean): string {
  const withDay = inflected ? part(fields({ month, day: "numeric" }), "month") : "";
  return /\p{L}/u.test(withDay) ? withDay : part(fields({ month }), "whole");
}

/** Returns the words that precede the name of a month after a day ("de" or "d’" in Catalan), in lower case. */
function wordsBeforeMonths(fields: Fields, month: "short" | "long"): Set<string> {
  const names = Array.from({ length: 12 }, (_, index) =>
    part(fields({ month, day: "numeric" }, new Date(Date.UTC(2026, index, 15))), "month"),
  );
  return new Set(names.map((name) => /^\p{L}+[ ’']/u.exec(name)?.[0].replace("'", "’").toLowerCase() ?? ""));
}

function dayOfYear(fields: Fields): number {
  const year = number(fields, "year");
  const midnight = Date.UTC(year, number(fields, "month") - 1, number(fields, "day"));
  return Math.round((midnight - Date.UTC(year, 0, 1)) / 86_400_000) + 1;
}

function hour(fields: Fields): number {
  return Number.parseInt(part(fields({ hour: "2-digit", hourCycle: "h23" }), "hour"), 10);
}

function number(fields: Fields, name: "year" | "month" | "day" | "minute"): number {
  return Number.parseInt(part(fields({ [name]: "numeric" }), name), 10);
}

function part(fields: Map<string, string>, name: string): string {
  return fields.get(name) ?? "";
}

function padded(value: number, width: number): string {
  return String(value).padStart(width, "0");
}
