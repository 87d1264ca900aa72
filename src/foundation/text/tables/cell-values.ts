import { headingKey } from "./column-headings.js";
import type { Row } from "./table.js";

/**
 * How to interpret the numbers in a column of grades: 85.5 % is written as 85.5 (`percentages`) or 0.855 (`fractions`).
 */
export type GradesAre = (typeof gradeScales)[number];

export const gradeScales = ["percentages", "fractions"] as const;

/** Matches `85`, `85.5` and `85,5 %`, with as many decimals as formulas produce. */
const percentage = /^(\d{1,3})(?:[.,](\d{1,20}))?\s*(%?)$/;

/** Number of decimals of a percentage. */
const DECIMALS = 6;

/**
 * Maximum total in percent. Extra credit can raise totals above 100: up to this limit, they are read as 100. Higher
 * totals are errors.
 */
export const MAX_TOTAL = 200;

/** The maximum number of hours on a credential. */
export const MAX_HOURS = 100_000;

/** Highest grade of scales other than percentages: 20 in France, 30 in Italy. */
const MAX_SCALE_GRADE = 30;

/**
 * Parses a percentage from 0 to 100, never rounded up.
 * @returns undefined for other texts
 */
export function readPercentage(cell: string, scale: GradesAre = "percentages"): number | undefined {
  const value = readNumber(cell, scale);
  return value !== undefined && value <= 100 ? value : undefined;
}

/**
 * Parses the total of a course. Totals above 100 % are read as 100.
 * @returns undefined for other texts
 */
export function readTotal(cell: string, scale: GradesAre = "percentages"): number | undefined {
  const value = readNumber(cell, scale);
  return value !== undefined && value <= MAX_TOTAL ? Math.min(100, value) : undefined;
}

function readNumber(cell: string, scale: GradesAre): number | undefined {
  const [, integer, decimals = "", sign] = percentage.exec(plainDigits(cell)) ?? [];
  if (integer === undefined) return undefined;
  const isFraction = scale === "fractions" && sign === "";
  const significant = decimals.slice(0, DECIMALS + (isFraction ? 2 : 0));
  return Number(`${integer}.${significant}e${isFraction ? 2 : 0}`);
}

/** Replaces Arabic and full-width digits and signs with ASCII characters. */
export function plainDigits(text: string): string {
  return text.replace(/[٠-٩۰-۹０-９٫٪．，％]/g, (letter) => {
    const sign = ".%.,%"["٫٪．，％".indexOf(letter)];
    return sign ?? String((letter.charCodeAt(0) & 0xf) % 10);
  });
}

/** Returns the stored number of a cell if its format shows fewer digits, otherwise the shown text. */
export function storedCell({ cells, stored }: Row, column: number): string {
  return stored?.[column] ?? cells[column] ?? "";
}

/** Returns whether a cell means that there is no grade: Moodle exports a dash. */
export function isNoGrade(cell: string): boolean {
  return /^[-–—]?$/.test(cell);
}

/** Words for passed and not passed, in the form of `headingKey`. */
const verdicts = {
  passed: [
    ..."1 x yes y true passed pass p ok ja j bestanden b oui o vrai reussi valide admis admise".split(" "),
    ..."si s verdadero aprobado aprobada apto apta superato promosso idoneo sim aprovado aprovada".split(" "),
    ..."так зараховано складено نعم ناجح ناجحة اجتاز".split(" "),
  ],
  notPassed: [
    ..."0 no n false failed fail f notpassed nein nichtbestanden nb non faux nonreussi nonvalide ajourne".split(
      " ",
    ),
    ..."echec falso noaprobado suspenso noapto nonsuperato bocciato respinto nonidoneo nao".split(" "),
    ..."naoaprovado reprovado reprovada ні незараховано нескладено لا راسب راسبة".split(" "),
  ],
};

const verdictOf = new Map<string, boolean>([
  ...verdicts.passed.map((word) => [headingKey(word), true] as const),
  ...verdicts.notPassed.map((word) => [headingKey(word), false] as const),
]);

/**
 * Parses whether a course is passed, in the eight languages.
 * @returns undefined for other texts
 */
export function readVerdict(cell: string): boolean | undefined {
  return /^[✓✔☑]$/u.test(cell)
    ? true
    : /^[✗✘☒]$/u.test(cell)
      ? false
      : verdictOf.get(headingKey(plainDigits(cell)));
}

/** Returns whether a grade is a letter grade, a fraction of points such as 28/30, or `30 e lode`. */
export function isWrittenGrade(cell: string): boolean {
  return /^\d+(?:[.,]\d+)? ?\/ ?\d+$|^[A-F][+-]?$|^30 ?(?:e lode|l)$/i.test(plainDigits(cell));
}

/** What the numbers in a column of grades could mean instead of percentages, with an example. */
export interface UnclearGrades {
  readonly may: "fractions" | "scale";
  readonly example: string;
}

/**
 * Returns what the grades in a column probably are, if not percentages. If no grade exceeds 1, `0.855` probably means
 * 85.5 %. If no grade exceeds 30, `1,3` is probably a grade on another scale.
 */
export function unclearGrades(cells: readonly string[]): UnclearGrades | undefined {
  const values = cells
    .filter((cell) => !isNoGrade(cell) && !/[%٪％]/.test(cell))
    .map((cell) => ({ cell, value: Number(plainDigits(cell).replace(",", ".")) }))
    .filter(({ value }) => !Number.isNaN(value));
  const found = (may: UnclearGrades["may"], example: (typeof values)[number] | undefined) =>
    example && { may, example: example.cell };
  if (values.every(({ value }) => value <= 1)) {
    const fraction = values.find(({ value }) => value > 0 && value < 1);
    if (fraction) return found("fractions", fraction);
  }
  if (!values.every(({ value }) => value <= MAX_SCALE_GRADE)) return undefined;
  return found(
    "scale",
    values.find(({ value }) => value > 0 && !Number.isInteger(value)) ??
      values.find(({ value }) => value > 0),
  );
}

/**
 * Reads a username or learner ID with all its digits, even if the workbook shows fewer.
 * @returns undefined if a spreadsheet has changed the identifier, for example to `1.23457E+11` or a date
 */
export function readIdentifier(row: Row, column: number): string | undefined {
  const text = storedCell(row, column);
  return row.days?.[column] !== undefined || /^\d(?:[.,]\d+)?E\+\d+$/i.test(text) ? undefined : text;
}

/** Returns whether a spreadsheet has replaced digits with zeros, because it keeps only 15 digits of a number. */
export function haveLostDigits(identifiers: readonly string[]): boolean {
  const long = identifiers.filter((each) => /^\d{16,}$/.test(each)).map((each) => each.slice(15));
  return long.every((each) => /^0+$/.test(each)) && long.join("").length > 2;
}

export function isErrorValue(cell: string): boolean {
  return /^(?:#(?:N\/A|VALUE!|REF!|DIV\/0!|NAME\?|NUM!|NULL!|SPILL!|CALC!|FIELD!)|Err:\d{3})$/.test(cell);
}

/** Converts a name in sorting order, `Kovač, Ana`, to the printed order. */
export function unsortedName(sortedName: string): string {
  const [family = "", ...givenNames] = sortedName.split(",").map((part) => part.trim());
  return [...givenNames, family].filter((part) => part !== "").join(" ");
}
