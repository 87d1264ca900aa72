import { isDeletedStatus } from "./one-roster-status.js";

/** A line item's lowest and highest score. */
export interface ScoreRange {
  readonly least: number;
  readonly most: number;
}

/** The fields of a result that determine its points. */
export interface ScoredResult {
  readonly status: string;
  readonly scoreStatus: string;
  readonly score: number | undefined;
  readonly inProgress: boolean;
  readonly incomplete: boolean;
}

export const FULLY_GRADED = "fully graded";
const EXEMPT = "exempt";
const NOT_SUBMITTED = "not submitted";
const PARTIALLY_GRADED = "partially graded";

/** Values of `scoreStatus`, in lower case. */
export const SCORE_STATUSES: readonly string[] = [
  FULLY_GRADED,
  EXEMPT,
  NOT_SUBMITTED,
  PARTIALLY_GRADED,
  "submitted",
];

/** Returns `undefined` if the values are not a valid range. */
export function scoreRange(least = 0, most = Number.NaN): ScoreRange | undefined {
  return most > least ? { least, most } : undefined;
}

/**
 * Returns whether the score is final. A score marked as in progress or incomplete isn't final,
 * whatever its status.
 */
export function isGraded(result: ScoredResult): boolean {
  return statusOf(result) === FULLY_GRADED;
}

/**
 * Returns the points of a learner's result, or of work without a result. Exempt work has 0 of 0 points. Work that was
 * not handed in has 0 points. Ungraded work also has 0 points, but `isFinal` is false.
 */
export function pointsOf(result: ScoredResult | undefined, { least, most }: ScoreRange) {
  const status = result ? statusOf(result) : NOT_SUBMITTED;
  if (status === EXEMPT) return { earned: 0, possible: 0, isFinal: true };
  const possible = most - least;
  const score = status === FULLY_GRADED ? result?.score : undefined;
  if (score === undefined) return { earned: 0, possible, isFinal: status === NOT_SUBMITTED };
  return { earned: Math.min(most, Math.max(least, score)) - least, possible, isFinal: true };
}

function statusOf({ status, scoreStatus, inProgress, incomplete }: ScoredResult): string {
  if (isDeletedStatus(status)) return NOT_SUBMITTED;
  const word = scoreStatus.toLowerCase();
  return word === FULLY_GRADED && (inProgress || incomplete) ? PARTIALLY_GRADED : word;
}
