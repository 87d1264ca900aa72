import { Problem } from "#foundation/errors.js";
import type { PrintedLearner } from "./credential-design.js";

/** A learner whose name can't be printed, and the reason for it. */
interface Unprintable<Named> {
  readonly named: Named;
  readonly problem: Problem;
}

/**
 * Finds learners with a name or another text that can't be printed. Uses bisection: one bad name
 * among thousands takes about twenty checks; if all names are good, one check is enough.
 * @param check throws a `Problem` if one of the texts can't be printed
 */
export function unprintableNames<Named extends PrintedLearner>(
  all: readonly Named[],
  check: (some: readonly Named[]) => void,
): Unprintable<Named>[] {
  const [first] = all;
  if (first === undefined) return [];
  const problem = refusal(() => check(all));
  if (problem === undefined) return [];
  if (all.length === 1) return [{ named: first, problem }];
  const half = all.length >> 1;
  return [...unprintableNames(all.slice(0, half), check), ...unprintableNames(all.slice(half), check)];
}

function refusal(check: () => void): Problem | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}
