/** A submission that counts. */
export interface Scored {
  readonly assignmentId: string;
  readonly score: number;
  readonly possible: number;
}

/** Of an assignment group: as many of its lowest and of its highest scores do not count. */
export interface DropRules {
  readonly lowest: number;
  readonly highest: number;
  readonly never: ReadonlySet<string>;
}

/**
 * Returns what of a group counts after its rules, as GradeCalculator#drop_assignments of Canvas chooses it. Dropping
 * the lowest keeps those that together have the best share of their points. Dropping the highest then keeps those of
 * them that together have the worst.
 */
export function afterDropping(
  all: readonly Scored[],
  { lowest, highest, never }: DropRules,
): readonly Scored[] {
  const fixed = all.filter(({ assignmentId }) => never.has(assignmentId));
  const droppable = all.filter(({ assignmentId }) => !never.has(assignmentId));
  if ((lowest === 0 && highest === 0) || droppable.length === 0) return all;
  const low = Math.min(lowest, droppable.length - 1);
  const high = low + highest >= droppable.length ? 0 : highest;
  const best = keep(droppable, fixed, droppable.length - low, 1);
  return [...keep(best, fixed, droppable.length - low - high, -1), ...fixed];
}

/** More rounds than a choice has ever needed: each one is better than the one before. */
const MAX_ROUNDS = 100;

/**
 * Chooses as many as are kept, so that the share of points together with the fixed ones is the highest (1) or the
 * lowest (-1): Dinkelbach's method, which compares each with the share that has been reached.
 */
function keep(
  some: readonly Scored[],
  fixed: readonly Scored[],
  count: number,
  sign: 1 | -1,
): readonly Scored[] {
  if (some.length <= count) return some;
  let share = shareOf([...some, ...fixed]) ?? 0;
  let chosen: readonly Scored[] = [];
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const value = ({ score, possible }: Scored) => sign * (score - share * possible);
    chosen = [...some].sort((a, b) => value(b) - value(a)).slice(0, count);
    const next = shareOf([...chosen, ...fixed]);
    if (next === undefined || sign * (next - share) <= 1e-12) break;
    share = next;
  }
  return chosen;
}

/** @returns undefined if there are no points to have a share of */
function shareOf(some: readonly Scored[]): number | undefined {
  const possible = some.reduce((sum, one) => sum + one.possible, 0);
  return possible === 0 ? undefined : some.reduce((sum, { score }) => sum + score, 0) / possible;
}
