import { type Calendar, dateIn, dateName, eraOf } from "./calendar-date.js";
import type { FormatSection, FormatToken } from "./parse-format.js";
import { general } from "./plain-number.js";
import { type SerialMoment, serialMoment } from "./serial-day.js";
import type { Shown } from "./shown.js";

/** Creates a function that formats a number as a day or time, or as a number if it is outside the calendar. */
export function createDateFormat(section: FormatSection, is1904: boolean): (value: number) => Shown {
  const { tokens } = section;
  const letters = tokens.map(({ kind, text }) => (kind === "date" ? (text[0] ?? "").toLowerCase() : ""));
  const isMinute = minutesAmong(tokens, letters);
  const needsDay = letters.some(
    (letter, index) => "ydigeb".includes(letter || " ") || (letter === "m" && !isMinute[index]),
  );
  const digits = digitsOfSecond(tokens);
  const isHalf = tokens.some(({ kind }) => kind === "meridiem");
  const calendar = section.calendar === "gregory" ? undefined : section.calendar;
  const eras = calendar ?? erasOf(section, letters);
  const context = { ...section, isHalf, calendar, eras, hasDays: letters.includes("d") };

  return (value) => {
    const moment = serialMoment(value, is1904, digits);
    if (value < 0 || (needsDay && !moment.day)) return { text: general(value) };
    const day = needsDay && moment.day ? moment.day.toISOString().slice(0, 10) : undefined;
    const isReaders = letters.includes("i") || (needsDay && !dateIn(context.calendar, moment.day as Date));
    if (isReaders) return { text: day ?? "", ...(day && { day }) };
    const text = tokens.map((token, index) => {
      if (token.kind === "literal" || token.kind === "comma") return token.text;
      if (token.kind === "point") return tokens[index + 1]?.kind === "digit" ? "" : ".";
      if (token.kind === "digit")
        return tokens[index - 1]?.kind === "point" ? fractionDigits(moment, digits) : "";
      if (token.kind === "elapsed") return elapsedTime(token.text, moment);
      if (token.kind === "meridiem") return meridiem(token.text, moment);
      if (token.kind !== "date") return "";
      return isMinute[index]
        ? padded(moment.minutes, token.text)
        : datePart(token.text.toLowerCase(), moment, context);
    });
    return { text: text.join(""), ...(day && { day }) };
  };
}

interface PartContext extends Pick<FormatSection, "language" | "isGenitive"> {
  readonly calendar: Calendar | undefined;
  readonly eras: Calendar | undefined;
  readonly isHalf: boolean;
  readonly hasDays: boolean;
}

function datePart(
  letters: string,
  { day, hours, seconds }: SerialMoment,
  { language, calendar, eras, isHalf, isGenitive, hasDays }: PartContext,
): string {
  if (letters.startsWith("h")) return padded(isHalf ? hours % 12 || 12 : hours, letters);
  if (letters.startsWith("s")) return padded(Math.floor(seconds), letters);
  if (!day) return "";
  if (letters.startsWith("g")) return eraOf(eras, day, letters.length);
  if (letters.startsWith("b")) return yearPart(dateIn("buddhist", day)?.year ?? 0, letters);
  const date = dateIn(calendar, day) ?? { year: 0, month: 0, day: 0 };
  if (letters.startsWith("e"))
    return eras === undefined ? yearPart(date.year, "yyyy") : padded(dateIn(eras, day)?.year ?? 0, letters);
  if (letters.startsWith("y")) return yearPart(date.year, letters);
  const isMonth = letters.startsWith("m");
  if (letters.length <= 2) return padded(isMonth ? date.month : date.day, letters);
  // The names below are those of Gregorian months. For a month of another calendar, returns the number.
  if (isMonth && date.month !== day.getUTCMonth() + 1) return String(date.month);
  const name = dateName(
    language,
    isMonth ? "month" : "weekday",
    isMonth ? day.getUTCMonth() : day.getUTCDay(),
    { isShort: letters.length === 3, isWithDay: isMonth && isGenitive && hasDays },
  );
  return letters.length === 5 ? name.slice(0, 1) : name;
}

function yearPart(year: number, letters: string): string {
  return letters.length > 2 ? String(year).padStart(4, "0") : padded(year % 100, "yy");
}

/** Returns the calendar for eras: Japanese, except in Taiwanese formats. */
function erasOf({ language }: FormatSection, letters: readonly string[]): Calendar | undefined {
  const hasYear = letters.includes("e");
  if (!hasYear && !letters.includes("g")) return undefined;
  if (language.startsWith("zh")) return "roc";
  return letters.includes("g") || language.startsWith("ja") ? "japanese" : undefined;
}

/** `m` means minutes after hours and before seconds, otherwise months. */
function minutesAmong(tokens: readonly FormatToken[], letters: readonly string[]): boolean[] {
  const next: string[] = [];
  for (let index = tokens.length - 1, after = ""; index >= 0; index--) {
    next[index] = after;
    after = letters[index] || after;
  }
  let before = "";
  return tokens.map(({ kind, text }, index) => {
    const isMinute = letters[index] === "m" && (/^h/i.test(before) || next[index] === "s");
    if (kind === "date" || kind === "elapsed") before = text;
    return isMinute;
  });
}

function digitsOfSecond(tokens: readonly FormatToken[]): number {
  const point = tokens.findIndex(
    ({ kind }, index) => kind === "point" && tokens[index + 1]?.kind === "digit",
  );
  return point < 0 ? 0 : Math.min(9, tokens.slice(point).filter(({ kind }) => kind === "digit").length);
}

/** Returns the decimal point and the digits of the fraction. */
function fractionDigits({ seconds }: SerialMoment, digits: number): string {
  return seconds.toFixed(digits).replace(/^\d+/, "");
}

function elapsedTime(letters: string, { totalSeconds }: SerialMoment): string {
  const unit = { h: 3600, m: 60, s: 1 }[(letters[0] ?? "s").toLowerCase() as "h" | "m" | "s"];
  return padded(Math.floor(totalSeconds / unit), letters);
}

function meridiem(text: string, { hours }: SerialMoment): string {
  const [before = "AM", after = "PM"] = text.split("/");
  return hours < 12 ? before : after;
}

function padded(number: number, letters: string): string {
  return String(number).padStart(Math.min(letters.length, 2), "0");
}
