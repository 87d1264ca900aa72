/** The requirements in one course. */
export interface Criteria {
  /** Present for grade-based credentials. */
  readonly grades?: RequiredGrades;
  /** The required fraction 0..1, with at most 6 decimals; only for completion-based credentials. */
  readonly completion?: number;
  /** Present if the platform must consider the course passed. */
  readonly passed?: true;
  /** The lowest sufficient letter grade. */
  readonly letter?: string;
  /**
   * The sufficient letter grades, if the options state their scale. If absent, the course's own scale determines them.
   */
  readonly acceptedLetters?: readonly string[];
}

/**
 * Returns the letter grades that meet the criteria. If the required letter grade is not on the course's scale, only the
 * same letter is sufficient.
 */
export function lettersMeeting(
  { letter = "", acceptedLetters }: Criteria,
  scale: readonly string[],
): readonly string[] {
  const rank = scale.indexOf(letter);
  return acceptedLetters ?? (rank < 0 ? [letter] : scale.slice(0, rank + 1));
}

/** Required percentages (0 to 100, with at most 6 decimals). */
export interface RequiredGrades {
  /** Percentages by assignment type in lower case. The learner must also have attempted each type. */
  readonly byAssignmentType: ReadonlyMap<string, number>;
  /** The required total; 0 if any total is sufficient. */
  readonly total: number;
  readonly namesTotal: boolean;
  /** Whether the total is the platform's own total instead of the weighted sum of assignment types. */
  readonly usesPlatformTotal?: boolean;
}

export const TOTAL = "total";
