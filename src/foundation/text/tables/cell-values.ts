import { headingKey } from "./column-headings.js";
import type { Row } from "./table.js";

/** What a number in a column of grades means: 85.5 or 0.855 for the same. */
export type GradesAre = (typeof gradeScales)[number];

export const gradeScales = ["percentages", "fractions"] as const;

/** `85`, `85.5`, `85,5 %`; formulas give many decimals. */
const percentage = /^(\d{1,3})(?:[.,](\d{1,20}))?\s*(%?)$/;

/** Decimals of a percentage that are kept. */
const DECIMALS = 6;

/** Extra credit can raise a total above 100 %, which is taken for 100. A higher one is a mistake. */
export const MOST_TOTAL = 200;

/** Scales of grades, other than percentages, end here or below: 20 in France, 30 in Italy. */
const MOST_OF_SCALES = 30;

/** Reads a percentage from 0 to 100. It is never rounded up. @returns undefined for anything else */
export function readPercentage(cell: string, scale: GradesAre = "percentages"): number | undefined {
  const value = readNumber(cell, scale);
  return value !== undefined && value <= 100 ? value : undefined;
}

/** Reads the total of a course, of which at most 100 % is taken. @returns undefined for what is no such percentage */
export function readTotal(cell: string, scale: GradesAre = "percentages"): number | undefined {
  const value = readNumber(cell, scale);
  return value !== undefined && value <= MOST_TOTAL ? Math.min(100, value) : undefined;
}

function readNumber(cell: string, scale: GradesAre): number | undefined {
  const [, integer, decimals = "", sign] = percentage.exec(plainDigits(cell)) ?? [];
  if (integer === undefined) return undefined;
  const isFraction = scale === "fractions" && sign === "";
  const significant = decimals.slice(0, DECIMALS + (isFraction ? 2 : 0));
  return Number(`${integer}.${significant}e${isFraction ? 2 : 0}`);
}

/** Returns a text with digits and signs of Arabic and of full width as 0 to 9. */
export function plainDigits(text: string): string {
  return text.replace(/[٠-٩۰-۹０-９٫٪．，％]/g, (letter) => {
    const sign = ".%.,%"["٫٪．，％".indexOf(letter)];
    return sign ?? String((letter.charCodeAt(0) & 0xf) % 10);
  });
}

/** Returns the number of a cell as it is stored, where its format shows less; any other cell as it is shown. */
export function storedCell({ cells, stored }: Row, column: number): string {
  return stored?.[column] ?? cells[column] ?? "";
}

/** Whether no grade is reported: exports of Moodle write a dash. */
export function isNoGrade(cell: string): boolean {
  return /^[-–—]?$/.test(cell);
}

/** Ways to write that a course is passed, or not, in the form of `headingKey`. */
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

/** Reads whether a course is passed, in the eight languages. @returns undefined for anything else */
export function readVerdict(cell: string): boolean | undefined {
  return /^[✓✔☑]$/u.test(cell)
    ? true
    : /^[✗✘☒]$/u.test(cell)
      ? false
      : verdictOf.get(headingKey(plainDigits(cell)));
}

/** Whether a grade is written as a letter, or out of a number of points. */
export function isWrittenGrade(cell: string): boolean {
  return /^\d+(?:[.,]\d+)? ?\/ ?\d+$|^[A-F][+-]?$|^30 ?(?:e lode|l)$/i.test(plainDigits(cell));
}

/** Grades that may not be percentages as they stand, and one of them. */
export interface UnclearGrades {
  readonly may: "fractions" | "scale";
  readonly example: string;
}

/**
 * Returns what a column of grades may hold other than percentages. In one in which nothing exceeds 1, `0.855` is likely
 * to stand for 85.5 %; where nothing exceeds 30, `1,3` is likely to be a grade on another scale.
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
  if (!values.every(({ value }) => value <= MOST_OF_SCALES)) return undefined;
  return found(
    "scale",
    values.find(({ value }) => value > 0 && !Number.isInteger(value)) ??
      values.find(({ value }) => value > 0),
  );
}

/**
 * Reads a username or a learner's ID: all its digits, whatever a workbook shows of them.
 * @returns undefined for what a spreadsheet has made of a number: `1.23457E+11`, a day
 */
export function readIdentifier(row: Row, column: number): string | undefined {
  const text = storedCell(row, column);
  return row.days?.[column] !== undefined || /^\d(?:[.,]\d+)?E\+\d+$/i.test(text) ? undefined : text;
}

/** Whether a spreadsheet has replaced the last digits of these identifiers with zeros: it keeps 15. */
export function haveLostDigits(identifiers: readonly string[]): boolean {
  const long = identifiers.filter((each) => /^\d{16,}$/.test(each)).map((each) => each.slice(15));
  return long.every((each) => /^0+$/.test(each)) && long.join("").length > 2;
}

/** What a spreadsheet shows instead of a value that it can't compute. */
export function isErrorValue(cell: string): boolean {
  return /^(?:#(?:N\/A|VALUE!|REF!|DIV\/0!|NAME\?|NUM!|NULL!|SPILL!|CALC!|FIELD!)|Err:\d{3})$/.test(cell);
}

/** Turns a name as lists sort it, `Kovač, Ana`, into one that is printed. */
export function printedName(sortedName: string): string {
  const [family = "", ...givenNames] = sortedName.split(",").map((part) => part.trim());
  return [...givenNames, family].filter((part) => part !== "").join(" ");
}
