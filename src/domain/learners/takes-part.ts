import { today } from "#foundation/calendar/day.js";

/**
 * Returns whether an enrolment with begin and end dates is in effect today. One that ended when the course did remains
 * in effect, because the learner took the whole course. One that ended earlier means that the learner left. Dates are
 * like `2026-06-30`, or empty.
 * @param endsOn end date of the course; undefined if unknown
 */
export function takesPart(
  { beginDate, endDate }: { readonly beginDate: string; readonly endDate: string },
  endsOn: string | undefined,
): boolean {
  if (beginDate > today()) return false;
  return endDate === "" || endDate > today() || (endsOn !== undefined && endDate >= endsOn);
}
