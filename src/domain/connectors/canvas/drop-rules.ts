export interface ScoredAssignment {
  readonly assignmentId: string;
  readonly score: number;
  readonly possible: number;
}

/** Numbers of scores to drop from an assignment group, and the assignments that are never dropped. */
export interface DropRules {
  readonly lowest: number;
  readonly highest: number;
  readonly never: ReadonlySet<string>;
}

/**
 * Returns the submissions that remain after dropping, chosen like GradeCalculator#drop_assignments of Canvas. Dropping
 * the lowest scores keeps the submissions that together have the best ratio of score to possible points. Dropping the
 * highest scores then keeps the submissions with the worst ratio.
 */
export function withoutDropped(
  all: readonly ScoredAssignment[],
  { lowest, highest, never }: DropRules,
): readonly ScoredAssignment[] {
  const fixed = all.filter(({ assignmentId }) => never.has(assignmentId));
  const droppable = all.filter(({ assignmentId }) => !never.has(assignmentId));
  if ((lowest === 0 && highest === 0) || droppable.length === 0) return all;
  const low = Math.min(lowest, droppable.length - 1);
  const high = low + highest >= droppable.length ? 0 : highest;
  const best = selectSubmissions(droppable, fixed, droppable.length - low, 1);
  return [...selectSubmissions(best, fixed, droppable.length - low - high, -1), ...fixed];
}

/** Maximum number of rounds, more than are ever needed. Each round improves on the previous one. */
const MAX_ROUNDS = 100;

/**
 * Chooses the submissions to keep, so that these and the fixed submissions together have the highest (`sign` 1) or
 * lowest (-1) ratio of score to possible points. Uses Dinkelbach's method, which repeatedly compares each submission
 * with the ratio reached so far.
 */
function selectSubmissions(
  some: readonly ScoredAssignment[],
  fixed: readonly ScoredAssignment[],
  count: number,
  sign: 1 | -1,
): readonly ScoredAssignment[] {
  if (some.length <= count) return some;
  let share = shareOf([...some, ...fixed]) ?? 0;
  let chosen: readonly ScoredAssignment[] = [];
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const value = ({ score, possible }: ScoredAssignment) => sign * (score - share * possible);
    chosen = [...some].sort((a, b) => value(b) - value(a)).slice(0, count);
    const next = shareOf([...chosen, ...fixed]);
    if (next === undefined || sign * (next - share) <= 1e-12) break;
    share = next;
  }
  return chosen;
}

/** Returns the share of earned points, or `undefined` if no points are possible. */
function shareOf(some: readonly ScoredAssignment[]): number | undefined {
  const possible = some.reduce((sum, one) => sum + one.possible, 0);
  return possible === 0 ? undefined : some.reduce((sum, { score }) => sum + score, 0) / possible;
}
