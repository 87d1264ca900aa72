import { pointsOf, USUAL_POINTS } from "#foundation/text/points.js";
import type { CredentialEligibility } from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import type { Formats } from "../i18n/words.js";

/** Returns the function that formats a percentage in the grading scale of a credential's documents. */
export function gradeFormat(
  {
    gradingScale,
    gradingPoints: points = USUAL_POINTS,
  }: Pick<CredentialEligibility, "gradingScale" | "gradingPoints">,
  { number, percent }: Pick<Formats, "number" | "percent">,
): (percentage: number) => string {
  if (gradingScale !== "points") return (percentage) => percent(percentage / 100);
  return (percentage) => `${number(pointsOf(percentage, points))}/${number(points)}`;
}
