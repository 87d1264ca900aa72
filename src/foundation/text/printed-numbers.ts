import { createBoundedCache } from "../concurrency/bounded-cache.js";
import { type GradingScale, gradeInPoints, gradeOnScale, type StatedGrade } from "./grading-scale.js";

/** Formats a percentage with at most two decimals, never rounded up: 69.999 becomes 69.99. */
export function percentageIn(percentage: number, language: string): string {
  const exact = `${percentage}E-2` as Intl.StringNumericLiteral; // a division could be slightly too low
  return formatOf(language, "percent").format(exact);
}

/** Formats a number with at most two decimals. */
export function numberIn(number: number, language: string): string {
  return formatOf(language, "decimal").format(number);
}

/** Formats a grade on its scale; undefined for percentages, or if there is no grade on the scale. */
export function gradeIn(
  stated: StatedGrade,
  words: Parameters<typeof gradeOnScale>[1],
  language: string,
): string | undefined {
  return gradeOnScale(stated, words, decimalsIn(language));
}

/** Formats the grade in an assignment type: in points if the grading scale is points, otherwise as a percentage. */
export function partialGradeIn(grade: number, scale: GradingScale | undefined, language: string): string {
  return scale?.name === "points"
    ? gradeInPoints(grade, scale, decimalsIn(language))
    : percentageIn(grade, language);
}

function decimalsIn(language: string) {
  return (value: number, decimals: number) => formatOf(language, "decimal", decimals).format(value);
}

const formats = createBoundedCache<Intl.NumberFormat>(100);

function formatOf(
  language: string,
  style: "percent" | "decimal",
  minimumFractionDigits = 0,
): Intl.NumberFormat {
  const options = { style, minimumFractionDigits, maximumFractionDigits: 2, roundingMode: "trunc" } as const;
  return formats(
    `${style} ${minimumFractionDigits} ${language}`,
    () => new Intl.NumberFormat(language, options),
  );
}
