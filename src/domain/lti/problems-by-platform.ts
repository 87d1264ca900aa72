/** Maximum number of problems per platform. */
export const MAX_PROBLEMS = 100;

interface OfPlatform {
  readonly registrationId: number;
}

/** Adds each platform's problems to its counts. */
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
