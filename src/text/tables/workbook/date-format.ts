import type { FormatSection, FormatToken } from "./parse-format.js";
import { general } from "./plain-number.js";
import { type SerialMoment, serialMoment } from "./serial-day.js";
import type { Shown } from "./shown.js";

/** Shows a number as a day or a time. What no calendar has is shown as the number. */
export function formatDateCell({ tokens, language }: FormatSection, value: number, is1904: boolean): Shown {
  const moment = serialMoment(value, is1904, digitsOfSecond(tokens));
  const letters = tokens.map(({ kind, text }) => (kind === "date" ? (text[0] ?? "").toLowerCase() : ""));
  const isMinute = tokens.map(
    (_, index) => letters[index] === "m" && standsForMinutes(tokens, letters, index),
  );
  const needsDay = letters.some(
    (letter, index) => "ydi".includes(letter || " ") || (letter === "m" && !isMinute[index]),
  );
  if (value < 0 || (needsDay && !moment.day)) return { text: general(value) };

  const day = needsDay && moment.day ? moment.day.toISOString().slice(0, 10) : undefined;
  if (letters.includes("i")) return { text: day ?? "", ...(day && { day }) };
  const isHalf = tokens.some(({ kind }) => kind === "meridiem");
  const text = tokens.map((token, index) => {
    if (token.kind === "literal" || token.kind === "comma") return token.text;
    if (token.kind === "point") return tokens[index + 1]?.kind === "digit" ? "" : ".";
    if (token.kind === "digit") return fractionDigit(tokens, index, moment);
    if (token.kind === "elapsed") return elapsed(token.text, moment);
    if (token.kind === "meridiem") return meridiem(token.text, moment);
    if (token.kind !== "date") return "";
    return isMinute[index]
      ? padded(moment.minutes, token.text)
      : datePart(token.text.toLowerCase(), moment, { language, isHalf });
  });
  return { text: text.join(""), ...(day && { day }) };
}

function datePart(
  letters: string,
  { day, hours, seconds }: SerialMoment,
  { language, isHalf }: { readonly language: string; readonly isHalf: boolean },
): string {
  if (letters.startsWith("h")) return padded(isHalf ? hours % 12 || 12 : hours, letters);
  if (letters.startsWith("s")) return padded(Math.floor(seconds), letters);
  if (!day) return "";
  const year = String(day.getUTCFullYear());
  if (letters.startsWith("y")) return letters.length > 2 ? year.padStart(4, "0") : year.slice(-2);
  if (letters.length <= 2)
    return padded(letters.startsWith("m") ? day.getUTCMonth() + 1 : day.getUTCDate(), letters);
  const width = letters.length === 3 ? "short" : "long";
  const name = new Intl.DateTimeFormat(language, {
    timeZone: "UTC",
    ...(letters.startsWith("m") ? { month: width } : { weekday: width }),
  }).format(day);
  return letters.length === 5 ? name.slice(0, 1) : name;
}

/** `m` stands for minutes after hours and before seconds, else for months. */
function standsForMinutes(
  tokens: readonly FormatToken[],
  letters: readonly string[],
  index: number,
): boolean {
  const before = tokens.slice(0, index).findLast(({ kind }) => kind === "date" || kind === "elapsed");
  const after = letters.slice(index + 1).find((letter) => letter !== "");
  return /^h/i.test(before?.text ?? "") || after === "s";
}

function digitsOfSecond(tokens: readonly FormatToken[]): number {
  const point = tokens.findIndex(
    ({ kind }, index) => kind === "point" && tokens[index + 1]?.kind === "digit",
  );
  return point < 0 ? 0 : tokens.slice(point).filter(({ kind }) => kind === "digit").length;
}

/** The first digit after the point has all of them. */
function fractionDigit(tokens: readonly FormatToken[], index: number, { seconds }: SerialMoment): string {
  if (tokens[index - 1]?.kind !== "point") return "";
  return seconds.toFixed(digitsOfSecond(tokens)).replace(/^\d+/, "");
}

function elapsed(letters: string, { totalSeconds }: SerialMoment): string {
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
