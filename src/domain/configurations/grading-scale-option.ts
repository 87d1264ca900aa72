import { z } from "zod";
import type { Options } from "#formats/rendering/generator.js";
import { help } from "#foundation/languages/option-help.js";
import { type GradingScale, gradingScaleNames, MAX_POINTS } from "#foundation/text/grading-scale.js";
import { USUAL_POINTS } from "#foundation/text/points.js";

/** Options of every type and configuration for the scale on which grades are shown. */
export const gradingScaleOptions = z.object({
  grading_scale: z.enum(gradingScaleNames).meta(help("grading_scale")).optional(),
  grading_points: z
    .int()
    .min(1)
    .max(MAX_POINTS)
    .meta(help("grading_points", { points: USUAL_POINTS }))
    .optional(),
});

/** Returns the grading scale in the options, or `undefined` for percentages. */
export function gradingScaleIn(options: Options): GradingScale | undefined {
  const { data } = gradingScaleOptions.safeParse(options);
  const { grading_scale: name = "percentage", grading_points: points = USUAL_POINTS } = data ?? {};
  if (name === "percentage") return undefined;
  return name === "points" ? { name, points } : { name };
}
