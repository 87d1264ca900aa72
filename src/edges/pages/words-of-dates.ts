import { type Day, startOfDay } from "../../calendar/day.js";

/** As our own words have them: the Gregorian calendar and Latin digits, as on the documents. */
const CALENDAR = { calendar: "gregory", numberingSystem: "latn" } as const;

/** The day in the words of a language. */
export function dayInWords(date: Date, timeZone: string, language: string): string {
  return new Intl.DateTimeFormat(language, { ...CALENDAR, timeZone, dateStyle: "long" }).format(date);
}

/** A day of no time zone in the words of a language. */
export function calendarDayInWords(day: Day, language: string): string {
  return dayInWords(startOfDay(day, "UTC"), "UTC", language);
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
