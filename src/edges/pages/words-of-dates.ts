import { type Day, startOfDay } from "#foundation/calendar/day.js";

/** Our own text uses the Gregorian calendar and Latin digits, as the documents do. */
const CALENDAR = { calendar: "gregory", numberingSystem: "latn" } as const;

/** Formats the day in a language. */
export function dayInWords(date: Date, timeZone: string, language: string): string {
  return new Intl.DateTimeFormat(language, { ...CALENDAR, timeZone, dateStyle: "long" }).format(date);
}

/** Formats a day that has no time zone in a language. */
export function calendarDayInWords(day: Day, language: string): string {
  return dayInWords(startOfDay(day, "UTC"), "UTC", language);
}

/** Formats the day and the time to the second, with the zone. */
export function momentInWords(date: Date, timeZone: string, language: string): string {
  const format = new Intl.DateTimeFormat(language, {
    ...CALENDAR,
    timeZone,
    dateStyle: "long",
    timeStyle: "long",
  });
  return format.format(date);
}
