import { parseDay } from "#foundation/calendar/day.js";
import { invalid, quoted } from "#foundation/errors.js";
import { isObject } from "#foundation/text/is-object.js";

export type Fields = { readonly [name: string]: unknown };

/** @throws Problem `invalid` */
export function asFields(value: unknown, what: string): Fields {
  if (isObject(value)) return value;
  throw invalid(`${what} is not an object.`);
}

/** Returns a text, or a number as text. Returns an empty string if the field is neither. */
export function textIn(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value === "string") return value;
  return typeof value === "number" ? String(value) : "";
}

/** @throws Problem `invalid` naming the field */
export function requiredText(fields: Fields, name: string): string {
  const text = textIn(fields, name).trim();
  if (text === "") throw invalid(`${name} is missing or empty.`);
  return text;
}

const ZONED = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?\s*(Z|UTC|[+-]\d{2}:?\d{2})?$/i;

/**
 * Parses a time in ISO 8601, or a date, which stands for midnight. A time without a time zone is in UTC.
 * @returns null for an empty text
 * @throws Problem `invalid` naming the field
 */
export function momentOf(field: string, exportedText: string): Date | null {
  const text = exportedText.trim();
  if (text === "") return null;
  const [, date, time, zone] = ZONED.exec(text) ?? [];
  const iso =
    date === undefined
      ? /^\d{4}-\d{2}-\d{2}$/.test(text)
        ? `${text}T00:00:00Z`
        : ""
      : `${date}T${time}${zone === undefined || zone.toUpperCase() === "UTC" ? "Z" : withColon(zone)}`;
  const moment = new Date(iso);
  // `Date` accepts 30 February as 2 March.
  if (!parseDay(text.slice(0, 10)) || Number.isNaN(moment.getTime()))
    throw invalid(
      `${field} is ${quoted(text)}; it must be a date such as 2026-01-31 or 2026-01-31T10:30:00Z.`,
    );
  return moment;
}

function withColon(zone: string): string {
  return zone.toUpperCase() === "Z" ? "Z" : zone.replace(/^([+-]\d{2}):?(\d{2})$/, "$1:$2");
}

/** @throws Problem `invalid` naming the field */
export function requiredMoment(field: string, text: string): Date {
  const moment = momentOf(field, text);
  if (moment === null) throw invalid(`${field} is missing or empty.`);
  return moment;
}

/** @throws Problem `invalid` naming the field */
export function timeOfField(field: string, text: string): Date {
  const seconds = Number(text.trim());
  if (text.trim() === "" || !Number.isInteger(seconds) || Math.abs(seconds) > 1e11)
    throw invalid(`${field} is ${quoted(text)}; it must be a number of seconds since 1970.`);
  return new Date(seconds * 1000);
}
