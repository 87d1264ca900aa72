import { z } from "zod";
import { quoted } from "#foundation/errors.js";
import { help } from "#foundation/languages/option-help.js";
import { isAssignmentType } from "../learners/parse-record.js";
import { type RequiredGrades, TOTAL } from "./criteria.js";
import { roundDecimal } from "./round-decimal.js";

/**
 * Maximum number of required grades. Each becomes a column of a query, and PostgreSQL allows 1,664 columns. Grading
 * policies have the same limit.
 */
const MAX_REQUIRED_GRADES = 100;

export const requiredGrades = z
  .record(z.string(), z.number().min(0).max(1))
  .superRefine((grades, context) => {
    const wrong = Object.keys(grades).find((name) => name.toLowerCase() !== TOTAL && !isAssignmentType(name));
    if (wrong !== undefined)
      context.addIssue({
        code: "custom",
        message: `names ${quoted(wrong)}, which can't be an assignment type`,
      });
  })
  .refine((grades) => Object.keys(grades).length > 0, "must name at least one assignment type or Total")
  .refine(
    (grades) => Object.keys(grades).length <= MAX_REQUIRED_GRADES,
    `must name at most ${MAX_REQUIRED_GRADES} grades`,
  )
  .refine(
    (grades) =>
      new Set(Object.keys(grades).map((name) => name.toLowerCase())).size === Object.keys(grades).length,
    "names an assignment type twice (case does not matter)",
  )
  .meta(help("required_grades"));

export const usePlatformTotal = z.boolean().default(false).meta(help("use_platform_total"));

export const requiredFraction = z.number().min(0).max(1);

export const letterGrade = z.string().trim().min(1).max(64);

export function percentages(
  fractions: Record<string, number> | undefined,
  usesPlatformTotal: boolean,
): RequiredGrades {
  const byName = new Map(
    Object.entries(fractions ?? {}).map(([name, fraction]) => [
      name.toLowerCase(),
      roundDecimal(fraction, 2),
    ]),
  );
  const total = byName.get(TOTAL) ?? 0;
  const namesTotal = byName.has(TOTAL);
  byName.delete(TOTAL);
  return { byAssignmentType: byName, total, namesTotal, usesPlatformTotal };
}
