/** Today, by the clock of this machine in UTC. */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}

/**
 * Returns whether an enrolment with days counts today. One that has ended with the course counts: what was learned was
 * learned in it. One that has ended before is that of someone who has left. Days are `2026-06-30`, or empty.
 * @param endsOn when the course ends; undefined: it is not known
 */
export function takesPart(
  { beginDate, endDate }: { readonly beginDate: string; readonly endDate: string },
  endsOn: string | undefined,
): boolean {
  if (beginDate > today()) return false;
  return endDate === "" || endDate > today() || (endsOn !== undefined && endDate >= endsOn);
}
