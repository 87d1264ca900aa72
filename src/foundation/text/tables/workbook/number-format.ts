import { createDateFormat } from "./date-format.js";
import { type FormatSection, type FormatToken, parseFormat } from "./parse-format.js";
import { decimal, formatNumberCell, general } from "./plain-number.js";
import type { Shown } from "./shown.js";

/** Formats numbers and texts for display (ECMA-376 part 1, 18.8.31). */
export interface CellFormat {
  number(value: number): Shown;
  text(value: string): string;
}

/**
 * Formats that workbooks refer to only by number (18.8.30). Dates that depend on the reader's system are in ISO 8601.
 */
const builtIn: Readonly<Record<number, string>> = {
  0: "General",
  1: "0",
  2: "0.00",
  3: "#,##0",
  4: "#,##0.00",
  9: "0%",
  10: "0.00%",
  11: "0.00E+00",
  14: "yyyy-mm-dd",
  15: "d-mmm-yy",
  16: "d-mmm",
  17: "mmm-yy",
  18: "h:mm AM/PM",
  19: "h:mm:ss AM/PM",
  20: "h:mm",
  21: "h:mm:ss",
  22: "yyyy-mm-dd h:mm",
  37: "#,##0;(#,##0)",
  38: "#,##0;(#,##0)",
  39: "#,##0.00;(#,##0.00)",
  40: "#,##0.00;(#,##0.00)",
  45: "mm:ss",
  46: "[h]:mm:ss",
  47: "mm:ss.0",
  48: "##0.0E+0",
  49: "@",
};

/** Returns whether a built-in format is a date of East Asian systems. */
const isLocalDay = (id: number) => (id >= 27 && id <= 31) || id === 36 || (id >= 50 && id <= 58);

/** Excel keeps 15 digits of a number, and replaces the others with zeros. */
const MAX_PRECISE_VALUE = 1e15;

/** @param code undefined for the built-in format with this id */
export function createFormat(id: number, code: string | undefined, is1904: boolean): CellFormat {
  const sections = parseFormat(code ?? builtIn[id] ?? (isLocalDay(id) ? "yyyy-mm-dd" : "General"));
  const [textSection] = sections.filter(({ kind }) => kind === "text").slice(-1);
  const dates = new Map(
    sections.flatMap((each) =>
      each.kind === "date" ? [[each, createDateFormat(each, is1904)] as const] : [],
    ),
  );
  return {
    number(value) {
      const chosen = choose(sections, value);
      if (!chosen) return { text: general(value) };
      const { section, isNegated } = chosen;
      const date = dates.get(section);
      if (date) return date(value);
      const text = formatNumberCell(section, isNegated ? -value : value);
      // Further digits are lost, so the number must not be used as an identifier.
      if (Math.abs(value) >= MAX_PRECISE_VALUE)
        return { text, stored: value.toExponential(14).toUpperCase() };
      return {
        text,
        ...(!isShownAsInteger(section, value, isNegated) && storedValueOf(text, section, value)),
      };
    },
    text(value) {
      if (!textSection) return value;
      return textSection.tokens.map(({ kind, text }) => (kind === "at" ? value : text)).join("");
    },
  };
}

/** Returns whether a section shows all digits of a number in order, without anything between them. */
function isShownAsInteger({ tokens }: FormatSection, value: number, isNegated: boolean): boolean {
  const has = (...kinds: FormatToken["kind"][]) => tokens.some(({ kind }) => kinds.includes(kind));
  if (has("general", "at")) return true;
  return (
    has("digit") && Number.isInteger(value) && !isNegated && !has("comma", "point", "percent", "exponent")
  );
}

function storedValueOf(text: string, { tokens }: FormatSection, value: number): Pick<Shown, "stored"> {
  const percents = tokens.filter(({ kind }) => kind === "percent").length;
  const stored = `${decimal(value * 100 ** percents)}${text.includes("%") ? "%" : ""}`;
  return stored === text ? {} : { stored };
}

/** Returns the section for a number, and whether the section formats the number without its sign. */
function choose(
  sections: readonly FormatSection[],
  value: number,
): { section: FormatSection; isNegated: boolean } | undefined {
  const numeric = sections.filter(
    ({ kind }, index) => kind !== "text" || (index === 0 && sections.length === 1),
  );
  const conditional = numeric.find(({ condition }) => condition?.(value));
  if (conditional) return { section: conditional, isNegated: false };
  const plain = numeric.filter(({ condition }) => !condition);
  const [first, second, third] = plain;
  if (!first) return undefined;
  if (value < 0 && second) return { section: second, isNegated: true };
  return { section: value === 0 && third ? third : first, isNegated: false };
}
