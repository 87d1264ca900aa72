import { quoted } from "#foundation/errors.js";
import { gradesOf, readGrade, readPoints } from "#foundation/text/grading-scale.js";
import { USUAL_POINTS } from "#foundation/text/points.js";
import { gradingScaleIn } from "../../configurations/grading-scale-option.js";
import type { Options } from "../../configurations/options.js";
import type { ListedRow } from "./learner-list.js";

/**
 * Converts grades of a list to the form in which credentials store them, on the grading scale in `options`: points
 * become a percentage, `1,3` becomes `1.3`, and `30 e lode` becomes `30L`. If a grade isn't on the scale, its row gets
 * a problem.
 */
export function gradesOnScale(rows: readonly ListedRow[], options: Options): readonly ListedRow[] {
  const scale = gradingScaleIn(options);
  const grades = scale && gradesOf(scale);
  if (!scale || !(grades || scale.name === "points")) return rows;
  const { points = USUAL_POINTS } = scale;
  const means = grades ? `${grades.at(-1)} to ${grades[0]}` : `0 to ${points}`;
  return rows.map((row): ListedRow => {
    const { letter, ...facts } = row.facts ?? {};
    if (letter === undefined || row.problem !== undefined) return row;
    const grade = grades ? undefined : readPoints(letter, scale);
    const written = grades ? readGrade(letter, scale) : undefined;
    if (grade !== undefined) return { ...row, facts: { ...facts, grade } };
    if (written !== undefined) return { ...row, facts: { ...facts, letter: written } };
    const problem = `letter_grade is ${quoted(letter)}, which is not on the scale ${scale.name} (${means}).`;
    return { ...row, problem };
  });
}
