import { z } from "zod";
import type { Options } from "#formats/rendering/generator.js";
import {
  type GradingScale,
  gradingScaleNames,
  MAX_POINTS,
  USUAL_POINTS,
} from "#foundation/text/grading-scale.js";

/** Options of every type and configuration: the scale on which grades are written. */
export const gradingScaleOptions = z.object({
  grading_scale: z
    .enum(gradingScaleNames)
    .describe(
      "How grades are written; percentage: 92.35%; points: out of grading_points, such as 15/20; german: 1,0 to 5,0, 1 is best; italian: 28/30, 30 e lode; letter: the platform's letter grade; pass_fail: passed or not passed; default: percentage",
    )
    .optional(),
  grading_points: z
    .int()
    .min(1)
    .max(MAX_POINTS)
    .describe(`Highest grade of the scale points; default: ${USUAL_POINTS}`)
    .optional(),
});

/** Returns the scale that options state; undefined: percentages. */
export function gradingScaleIn(options: Options): GradingScale | undefined {
  const { data } = gradingScaleOptions.safeParse(options);
  const { grading_scale: name = "percentage", grading_points: points = USUAL_POINTS } = data ?? {};
  if (name === "percentage") return undefined;
  return name === "points" ? { name, points } : { name };
}
