import { Problem } from "../../errors.js";
import type { PrintedLearner } from "./credential-design.js";

/** Someone whose name can't be printed, and why. */
export interface Unprintable<Named> {
  readonly named: Named;
  readonly detail: string;
}

/**
 * Those whose names the check refuses, or what else is printed of them. It is asked about all at once, and about halves where
 * it refuses: one bad name among thousands takes some twenty questions, none takes one.
 * @param check refuses with a `Problem`
 */
export function unprintableNames<Named extends PrintedLearner>(
  all: readonly Named[],
  check: (some: readonly Named[]) => void,
): Unprintable<Named>[] {
  const [first] = all;
  if (first === undefined) return [];
  const detail = refusal(() => check(all));
  if (detail === undefined) return [];
  if (all.length === 1) return [{ named: first, detail }];
  const half = all.length >> 1;
  return [...unprintableNames(all.slice(0, half), check), ...unprintableNames(all.slice(half), check)];
}

function refusal(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof Problem) return error.message;
    throw error;
  }
}
