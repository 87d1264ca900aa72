import { today } from "#foundation/calendar/day.js";

/**
 * Returns whether an enrolment is in effect today. An enrolment that ended together with the course remains in effect,
 * because the learner took the whole course. If it ended earlier, the learner has left. Dates have the form
 * `2026-06-30`, or are empty.
 * @param endsOn end date of the course; undefined if unknown
 */
export function takesPart(
  { beginDate, endDate }: { readonly beginDate: string; readonly endDate: string },
  endsOn: string | undefined,
): boolean {
  if (beginDate > today()) return false;
  return endDate === "" || endDate > today() || (endsOn !== undefined && endDate >= endsOn);
}
