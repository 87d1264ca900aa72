/** The requirements in one course. */
export interface Criteria {
  /** Present for grade-based credentials. */
  readonly grades?: RequiredGrades;
  /** Present for completion-based credentials: a fraction 0..1, at most 6 decimals. */
  readonly completion?: number;
  /** Present if the platform must consider the course passed. */
  readonly passed?: true;
  /** Present if a letter grade of the platform is required: this one or a better one. */
  readonly letter?: string;
  /**
   * The letter grades that meet the requirement, if the options state their scale; absent: the course's own scale
   * determines them.
   */
  readonly acceptedLetters?: readonly string[];
}

/**
 * Returns the letter grades that meet the required one. If it is not on the course's scale, only the same letter does.
 */
export function lettersMeeting(
  { letter = "", acceptedLetters }: Criteria,
  scale: readonly string[],
): readonly string[] {
  const rank = scale.indexOf(letter);
  return acceptedLetters ?? (rank < 0 ? [letter] : scale.slice(0, rank + 1));
}

/** Percentages 0..100, at most 6 decimals. */
export interface RequiredGrades {
  /** By assignment type in lower case. Each must also have been attempted. */
  readonly byAssignmentType: ReadonlyMap<string, number>;
  /** If 0, any total meets the requirement. */
  readonly total: number;
  /** Whether the requirements mention a total. */
  readonly namesTotal: boolean;
  /** If true, the total is the platform's own, not the weighted sum of the assignment types. */
  readonly usesPlatformTotal?: boolean;
}

/** Key of the total among the grades. */
export const TOTAL = "total";
