/** A day of our time zone. */
export interface Day {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  readonly day: number;
}

/** As our own words have them: the Gregorian calendar and Latin digits, as on the documents. */
const CALENDAR = { calendar: "gregory", numberingSystem: "latn" } as const;

export function dayOf(date: Date, timeZone: string): Day {
  const format = new Intl.DateTimeFormat("en", {
    ...CALENDAR,
    timeZone,
    year: "numeric",
    month: "numeric",
    day: "numeric",
  });
  const parts = new Map(format.formatToParts(date).map(({ type, value }) => [type, Number(value)]));
  return { year: parts.get("year") ?? 0, month: parts.get("month") ?? 0, day: parts.get("day") ?? 0 };
}

/** `2026-01-15` */
export function isoDay(date: Date, timeZone: string): string {
  const { year, month, day } = dayOf(date, timeZone);
  const padded = (value: number, width: number) => String(value).padStart(width, "0");
  return `${padded(year, 4)}-${padded(month, 2)}-${padded(day, 2)}`;
}

/** The day in the words of a language. */
export function dayInWords(date: Date, timeZone: string, language: string): string {
  return new Intl.DateTimeFormat(language, { ...CALENDAR, timeZone, dateStyle: "long" }).format(date);
}

/** The day and the time to the second, with the zone. */
export function momentInWords(date: Date, timeZone: string, language: string): string {
  const format = new Intl.DateTimeFormat(language, {
    ...CALENDAR,
    timeZone,
    dateStyle: "long",
    timeStyle: "long",
  });
  return format.format(date);
}
