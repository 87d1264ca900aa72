import { Problem } from "#foundation/errors.js";
import type { PrintedLearner } from "./credential-design.js";

/** A learner whose name can't be printed, and the reason. */
export interface Unprintable<Named> {
  readonly named: Named;
  readonly problem: Problem;
}

/**
 * Finds the learners for whom the check rejects a name or another printed text, by bisection. It checks all at once,
 * and splits each rejected group in half. One bad name among thousands takes about twenty checks; if there is none, a
 * single check suffices.
 * @param check throws a `Problem` to reject
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
