/** Maximum number of listed problems for each platform. */
export const MAX_PROBLEMS = 100;

interface OfPlatform {
  readonly registrationId: number;
}

/** Adds its problems to the counts of each platform. */
export function withProblems<Counts extends OfPlatform, Problem>(
  counts: readonly Counts[],
  problems: readonly (Problem & OfPlatform)[],
): (Counts & { readonly problems: readonly Omit<Problem & OfPlatform, "registrationId">[] })[] {
  return counts.map((count) => ({
    ...count,
    problems: problems
      .filter(({ registrationId }) => registrationId === count.registrationId)
      .map(({ registrationId: _, ...problem }) => problem),
  }));
}
