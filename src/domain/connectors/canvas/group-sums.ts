import type { z } from "zod";
import type { AssignmentGroup } from "./assignment-groups.js";
import type { groupedSubmissions } from "./canvas-shapes.js";
import { type ScoredAssignment, withoutDropped } from "./drop-rules.js";

type LearnerSubmissions = z.output<typeof groupedSubmissions>[number];

export interface GroupSum {
  readonly group: AssignmentGroup;
  readonly earned: number;
  readonly possible: number;
}

/** Sums of groups that add up to the learner's total. */
interface GroupSums {
  readonly all: readonly GroupSum[];
  /** Whether the sums match only if ungraded work is ignored, as Canvas does for concluded enrolments. */
  readonly onlyConcluded: boolean;
}

/** Allows for rounding, because Canvas rounds totals to two places. */
const TOLERANCE = 0.00501;

/**
 * Calculates the sums of a learner's groups as Canvas's GradeCalculator does.
 * @returns undefined if the sums don't match the learner's total, for example because of weighted grading periods
 */
export function groupSums(
  groups: readonly AssignmentGroup[],
  learner: LearnerSubmissions,
): GroupSums | undefined {
  const total = learner.computed_final_score ?? null;
  // For concluded learners, Canvas ignores work without a posted grade.
  for (const onlyConcluded of [false, true]) {
    const sums = groups.map((group) => sumOf(group, learner, onlyConcluded));
    if (isSame(total, ofPoints(sums))) return { all: sums, onlyConcluded };
    // Groups with a weight of 0 don't affect the total, so a matching total does not confirm their sums.
    if (isSame(total, ofWeights(sums)))
      return { all: sums.filter(({ group }) => group.weight > 0), onlyConcluded };
  }
  return undefined;
}

function sumOf(group: AssignmentGroup, { submissions }: LearnerSubmissions, isConcluded: boolean): GroupSum {
  const counted = submissions.flatMap((one): ScoredAssignment[] => {
    const { assignment_id, excused, assignment_visible, posted_at } = one;
    const possible = group.possible.get(assignment_id);
    if (possible === undefined || assignment_visible === false) return [];
    const isPosted = typeof posted_at === "string";
    if (isPosted ? excused : isConcluded) return [];
    return [{ assignmentId: assignment_id, score: isPosted ? (one.score ?? 0) : 0, possible }];
  });
  const remaining = withoutDropped(counted, group.rules);
  return {
    group,
    earned: remaining.reduce((sum, { score }) => sum + score, 0),
    possible: remaining.reduce((sum, { possible }) => sum + possible, 0),
  };
}

function ofPoints(sums: readonly GroupSum[]): number | null {
  const possible = sums.reduce((sum, one) => sum + one.possible, 0);
  return possible === 0 ? null : (100 * sums.reduce((sum, { earned }) => sum + earned, 0)) / possible;
}

/** The weights of groups without points are distributed among the other groups. */
function ofWeights(sums: readonly GroupSum[]): number | null {
  const relevant = sums.filter(({ possible }) => possible > 0);
  const weights = relevant.reduce((sum, { group }) => sum + group.weight, 0);
  if (weights === 0) return null;
  const total = relevant.reduce(
    (sum, { group, earned, possible }) => sum + (earned / possible) * group.weight,
    0,
  );
  return weights < 100 ? (total * 100) / weights : total;
}

function isSame(total: number | null, sum: number | null): boolean {
  return total === null || sum === null ? total === sum : Math.abs(total - sum) <= TOLERANCE;
}
