import { type Day, startOfDay } from "#foundation/calendar/day.js";

/** Dates use the Gregorian calendar and Latin digits, as in the documents. */
const CALENDAR = { calendar: "gregory", numberingSystem: "latn" } as const;

export function dayInWords(date: Date, timeZone: string, language: string): string {
  return new Intl.DateTimeFormat(language, { ...CALENDAR, timeZone, dateStyle: "long" }).format(date);
}

/** Formats a day without a time zone. */
export function calendarDayInWords(day: Day, language: string): string {
  return dayInWords(startOfDay(day, "UTC"), "UTC", language);
}

/** Formats the day and the time with seconds and time zone. */
export function momentInWords(date: Date, timeZone: string, language: string): string {
  const format = new Intl.DateTimeFormat(language, {
    ...CALENDAR,
    timeZone,
    dateStyle: "long",
    timeStyle: "long",
  });
  return format.format(date);
}
