import type { FormatSection, FormatToken } from "./parse-format.js";

/** Number of digits that workbooks store. */
const PRECISION = 15;

/** Formats a number with all its digits, even identifiers of twelve digits, which Excel would shorten. */
export function general(value: number): string {
  const shown = Number(value.toPrecision(PRECISION));
  return Object.is(shown, -0) ? "0" : String(shown);
}

const decimals = new Intl.NumberFormat("en", {
  useGrouping: false,
  numberingSystem: "latn",
  maximumSignificantDigits: PRECISION,
});

/** Formats a number with all its digits, never with an exponent. */
export function decimal(value: number): string {
  const text = general(value);
  return text.includes("e") ? decimals.format(value) : text;
}

/** Formats a number with the digits of a section. The decimal separator is a point. */
export function formatNumberCell({ tokens }: FormatSection, value: number): string {
  if (tokens.some(({ kind }) => kind === "general" || kind === "at")) {
    return tokens
      .map(({ kind, text }) => (kind === "general" || kind === "at" ? general(value) : text))
      .join("");
  }
  if (!tokens.some(({ kind }) => kind === "digit")) return tokens.map(({ text }) => text).join("");
  // A fraction, for example # ?/?.
  if (tokens.some(({ kind, text }) => kind === "literal" && text === "/")) return general(value);

  const percents = tokens.filter(({ kind }) => kind === "percent").length;
  const scaled = value * 100 ** percents * 1000 ** -scalingCommas(tokens);
  const point = tokens.findIndex(({ kind }) => kind === "point");
  const exponent = tokens.findIndex(({ kind }) => kind === "exponent");
  const end = exponent < 0 ? tokens.length : exponent;
  const places = point < 0 ? [] : tokens.slice(point, end).filter(({ kind }) => kind === "digit");
  const least = places.findLastIndex(({ text }) => text === "0") + 1;
  if (exponent >= 0) return scientific(tokens, scaled, places.length);

  const [integer = "0", decimals = ""] = rounded(Math.abs(scaled), places.length).split(".");
  const keptDecimals = trimZeros(decimals, least);
  const isZero = /^0*$/.test(integer + decimals);
  const sign = scaled < 0 && !isZero ? "-" : "";
  const integers = tokens.slice(0, point < 0 ? end : point);
  const rest = point < 0 ? [] : tokens.slice(point + 1);
  return sign + integerPart(integers, integer) + (point < 0 ? "" : `.${keptDecimals}`) + literals(rest);
}

/** Rounds half away from zero, based on the decimal digits that a workbook stores. */
function rounded(value: number, places: number): string {
  const exact = String(Number(value.toPrecision(PRECISION)));
  if (exact.includes("e") || places > PRECISION) return value.toFixed(Math.min(places, 30));
  return Number(`${Math.round(Number(`${exact}e${places}`))}e-${places}`).toFixed(places);
}

/** Fills the digit placeholders from the right. Excess digits are inserted at the first placeholder. */
function integerPart(tokens: readonly FormatToken[], integer: string): string {
  const digits = tokens.filter(({ kind }) => kind === "digit");
  const lastDigit = tokens.findLastIndex(({ kind }) => kind === "digit");
  const isGrouped = tokens.slice(0, Math.max(0, lastDigit)).some(({ kind }) => kind === "comma");
  const significant = integer.replace(/^0+/, "");
  const zeros = digits.length - digits.findIndex(({ text }) => text === "0");
  const least = digits.some(({ text }) => text === "0") ? zeros : 0;
  const filled = significant.padStart(least, "0");
  const first = firstDigit(tokens);
  if (isGrouped) return around(tokens, filled.replace(/\B(?=(\d{3})+$)/g, ","));
  if (tokens.every(({ kind }, index) => kind === "digit" || index < first || index > lastDigit))
    return around(tokens, filled);

  let left = filled;
  let shown = "";
  for (const [index, token] of [...tokens.entries()].reverse()) {
    const isDigit = token.kind === "digit";
    const own = index === first ? left : left.slice(-1);
    if (isDigit) left = left.slice(0, left.length - own.length);
    shown = (isDigit ? own : literals([token])) + shown;
  }
  return shown;
}

function around(tokens: readonly FormatToken[], number: string): string {
  const first = firstDigit(tokens);
  const last = tokens.findLastIndex(({ kind }) => kind === "digit");
  return literals(tokens.slice(0, Math.max(0, first))) + number + literals(tokens.slice(last + 1));
}

function firstDigit(tokens: readonly FormatToken[]): number {
  return tokens.findIndex(({ kind }) => kind === "digit");
}

function literals(tokens: readonly FormatToken[]): string {
  return tokens.map(({ kind, text }) => (kind === "literal" || kind === "percent" ? text : "")).join("");
}

/** Counts the commas right after the last digit. Each divides the number by a thousand. */
function scalingCommas(tokens: readonly FormatToken[]): number {
  const point = tokens.findIndex(({ kind }) => kind === "point");
  const integers = point < 0 ? tokens : tokens.slice(0, point);
  const last = integers.findLastIndex(({ kind }) => kind === "digit");
  const after = integers.slice(last + 1);
  const others = after.findIndex(({ kind }) => kind !== "comma");
  return others < 0 ? after.length : others;
}

function scientific(tokens: readonly FormatToken[], value: number, places: number): string {
  const exponent = tokens.findIndex(({ kind }) => kind === "exponent");
  const digits = tokens.slice(exponent).filter(({ kind }) => kind === "digit").length;
  const [mantissa = "0", power = "0"] = value.toExponential(places).split("e");
  const isNegative = power.startsWith("-");
  const sign = isNegative ? "-" : tokens[exponent]?.text.endsWith("+") ? "+" : "";
  return `${mantissa}E${sign}${power.replace(/^[+-]/, "").padStart(digits, "0")}`;
}

function trimZeros(decimals: string, least: number): string {
  return decimals.slice(0, least) + decimals.slice(least).replace(/0+$/, "");
}
