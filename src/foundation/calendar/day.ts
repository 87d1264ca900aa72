import { createBoundedCache } from "../concurrency/bounded-cache.js";

/** A day in the Gregorian calendar, without a time zone. */
export interface Day {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;

export function dayOf(moment: Date, timeZone: string): Day {
  const { year, month, day } = localTimeOf(moment, timeZone);
  return { year, month, day };
}

/** Returns the day of a moment, for example `2026-01-15`. */
export function isoDay(moment: Date, timeZone: string): string {
  return formatDay(dayOf(moment, timeZone));
}

/** Returns the current day in UTC, for example `2026-01-15`. */
export function today(): string {
  return isoDay(new Date(), "UTC");
}

/** Formats a day, for example `2026-01-15`. */
export function formatDay({ year, month, day }: Day): string {
  const padded = (value: number, width: number) => String(value).padStart(width, "0");
  return `${padded(year, 4)}-${padded(month, 2)}-${padded(day, 2)}`;
}

/** Parses `2026-01-15`; undefined if the text is not a valid day. */
export function parseDay(text: string): Day | undefined {
  const [, year = "", month = "", day = ""] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  const read = { year: Number(year), month: Number(month), day: Number(day) };
  return year !== "" && formatDay(addDays(read, 0)) === text ? read : undefined;
}

export function addDays(day: Day, days: number): Day {
  const moved = new Date(utc(day) + days * DAY_MS);
  return { year: moved.getUTCFullYear(), month: moved.getUTCMonth() + 1, day: moved.getUTCDate() };
}

/**
 * Returns the same day of the month, this number of months later. If the resulting month is too short, returns its last
 * day: a month after 31 January is 28 or 29 February.
 */
export function addMonths({ year, month, day }: Day, months: number): Day {
  const index = year * 12 + (month - 1) + months;
  const first = { year: Math.floor(index / 12), month: (index % 12) + 1, day: 1 };
  const last = addDays({ ...first, day: 28 }, 4); // always in the next month
  const length = 28 + 4 - last.day;
  return { ...first, day: Math.min(day, length) };
}

/**
 * Returns the first moment of a day in a time zone. If the zone skips the day, returns the first moment after it.
 * Clocks can change at midnight, so a day may begin later than 00:00, or have its first hour twice.
 */
export function startOfDay(day: Day, timeZone: string): Date {
  const midnight = utc(day);
  const offsets = [midnight - DAY_MS, midnight + DAY_MS].map((near) => offsetAt(near, timeZone));
  const candidates = offsets.map((offset) => midnight - offset).sort((a, b) => a - b);
  const exact = candidates.find((moment) => moment + offsetAt(moment, timeZone) === midnight);
  if (exact !== undefined) return new Date(exact);
  // The clocks skip this midnight, so search for the moment of the change.
  let [before, after] = [midnight - DAY_MS, midnight + 2 * DAY_MS];
  while (after - before > 1000) {
    const middle = Math.floor((before + after) / 2000) * 1000;
    if (middle + offsetAt(middle, timeZone) >= midnight) after = middle;
    else before = middle;
  }
  return new Date(after);
}

function utc({ year, month, day }: Day): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day); // Date.UTC would treat years under 100 as 19xx
  return date.getTime();
}

/** Returns how far clocks are ahead of UTC, in milliseconds. */
function offsetAt(moment: number, timeZone: string): number {
  const startOfSecond = Math.floor(moment / 1000) * 1000;
  const { hour, minute, second, ...day } = localTimeOf(new Date(startOfSecond), timeZone);
  return utc(day) + ((hour * 60 + minute) * 60 + second) * 1000 - startOfSecond;
}

interface LocalTime extends Day {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

const formats = createBoundedCache<Intl.DateTimeFormat>(100);

function localTimeOf(moment: Date, timeZone: string): LocalTime {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(moment)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0;
  return {
    year: part("year"),
    month: part("month"),
    day: part("day"),
    hour: part("hour"),
    minute: part("minute"),
    second: part("second"),
  };
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  return formats(
    timeZone,
    () =>
      new Intl.DateTimeFormat("en", {
        calendar: "gregory",
        numberingSystem: "latn",
        hourCycle: "h23",
        timeZone,
        year: "numeric",
        month: "numeric",
        day: "numeric",
        hour: "numeric",
        minute: "numeric",
        second: "numeric",
      }),
  );
}
