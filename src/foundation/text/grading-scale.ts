import { pointsOf, USUAL_POINTS } from "./points.js";
import { plainDigits } from "./tables/cell-values.js";

export const gradingScaleNames = [
  "percentage",
  "points",
  "german",
  "italian",
  "letter",
  "pass_fail",
] as const;

type GradingScaleName = (typeof gradingScaleNames)[number];

/** A grading scale other than percentages. */
export interface GradingScale {
  readonly name: Exclude<GradingScaleName, "percentage">;
  /** Highest grade of the scale `points`. */
  readonly points?: number;
}

export const MAX_POINTS = 1000;

/** The stored form of an Italian grade with honours. */
const WITH_HONOURS = "30L";

/** The grades of scales that have a fixed list, best first. */
const listedGrades: Partial<Record<GradingScale["name"], readonly string[]>> = {
  german: Array.from({ length: 41 }, (_, tenths) => ((10 + tenths) / 10).toFixed(1)),
  italian: [WITH_HONOURS, ...Array.from({ length: 31 }, (_, below) => String(30 - below))],
};

/** Returns the grades of a scale, best first; undefined if the scale has no fixed list. */
export function gradesOf(scale: GradingScale): readonly string[] | undefined {
  return listedGrades[scale.name];
}

/**
 * Returns all spellings of the grades that are at least as good as a required one, because records contain the
 * platform's spelling.
 * @returns undefined if the scale has no fixed list, or the grade isn't in the list
 */
export function spellingsOfAtLeast(required: string, scale: GradingScale): readonly string[] | undefined {
  const grades = gradesOf(scale);
  const place = grades?.indexOf(readGrade(required, scale) ?? "") ?? -1;
  return place < 0 ? undefined : grades?.slice(0, place + 1).flatMap((grade) => spellingsOf(grade, scale));
}

function spellingsOf(grade: string, { name }: GradingScale): readonly string[] {
  if (name === "german")
    return [grade, grade.replace(".", ","), ...(grade.endsWith(".0") ? [grade.slice(0, 1)] : [])];
  return grade === WITH_HONOURS ? [grade, "30 e lode", "30 lode", "30/30 e lode"] : [grade, `${grade}/30`];
}

/**
 * Parses a grade in a spelling that people use: `1,3`, `28/30`, `30 e lode`.
 * @returns the stored form, for example `1.3`; undefined if the text isn't a grade of the scale
 */
export function readGrade(text: string, scale: GradingScale): string | undefined {
  const plain = plainDigits(text).trim();
  switch (scale.name) {
    case "german": {
      const [, whole, tenths = "0"] = /^([1-5])(?:[.,](\d)0*)?$/.exec(plain) ?? [];
      const grade = `${whole}.${tenths}`;
      return gradesOf(scale)?.includes(grade) ? grade : undefined;
    }
    case "italian": {
      const [, number, honours] =
        /^(\d{1,2})(?:\s*\/\s*30)?(?:\s*(l|(?:e |con |cum )?(?:lode|laude)))?$/i.exec(plain) ?? [];
      if (honours !== undefined) return number === "30" ? WITH_HONOURS : undefined;
      const grade = number === undefined ? "" : String(Number(number));
      return gradesOf(scale)?.includes(grade) ? grade : undefined;
    }
    case "points":
      return readPoints(plain, scale) === undefined ? undefined : plain;
    default:
      return plain === "" || plain.length > 64 ? undefined : text.trim();
  }
}

/**
 * Converts points to a percentage. If the highest grade is 20, accepts `15`, `15,5` and `15/20`.
 * @returns undefined for other texts
 */
export function readPoints(text: string, { points = USUAL_POINTS }: GradingScale): number | undefined {
  const [, whole, decimals = "", most] =
    /^(\d{1,4})(?:[.,](\d{1,4}))?(?:\s*\/\s*(\d{1,4}))?$/.exec(plainDigits(text).trim()) ?? [];
  if (whole === undefined || (most !== undefined && Number(most) !== points)) return undefined;
  const tenThousandths = Number(`${whole}${decimals.padEnd(4, "0")}`);
  if (tenThousandths > points * 10_000) return undefined;
  // Integer arithmetic never rounds up.
  return Math.floor((tenThousandths * 10_000) / points) / 1e6;
}

/** The grade of a credential, on any scale. */
export interface StatedGrade {
  readonly scale?: GradingScale | undefined;
  readonly grade?: number | undefined;
  readonly letter?: string | undefined;
  readonly passed?: boolean | undefined;
}

interface GradeWords {
  readonly passed: string;
  readonly notPassed: string;
}

/**
 * Formats a grade as is usual in the scale's country.
 * @returns undefined if there is no grade on the scale; there may still be a percentage
 */
export function gradeOnScale(
  { scale, grade, letter, passed }: StatedGrade,
  words: GradeWords,
  number: (value: number, decimals: number) => string,
): string | undefined {
  if (!scale) return undefined;
  if (scale.name === "points") return grade === undefined ? letter : gradeInPoints(grade, scale, number);
  if (scale.name === "pass_fail")
    return passed === undefined ? undefined : passed ? words.passed : words.notPassed;
  if (letter === undefined) return undefined;
  const read = readGrade(letter, scale);
  if (read === undefined || scale.name === "letter") return letter;
  if (scale.name === "german") return number(Number(read), 1);
  return read === WITH_HONOURS ? "30 e lode" : `${read}/30`;
}

/** Formats a percentage in points, for example `15.5/20`. */
export function gradeInPoints(
  percentage: number,
  { points = USUAL_POINTS }: GradingScale,
  number: (value: number, decimals: number) => string,
): string {
  return `${number(pointsOf(percentage, points), 0)}/${number(points, 0)}`;
}
