/** What a learner must attain in one course. */
export interface Criteria {
  /** Present for grade-based credentials. */
  readonly grades?: RequiredGrades;
  /** Present for completion-based credentials: a fraction 0..1, at most 6 decimals. */
  readonly completion?: number;
}

/** Percentages 0..100, at most 6 decimals. */
export interface RequiredGrades {
  /** By assignment type in lower case. Each must also have been attempted. */
  readonly byAssignmentType: ReadonlyMap<string, number>;
  /** If 0, no total is required. */
  readonly total: number;
  /** The total is the platform's own, not the weighted sum of the assignment types. */
  readonly usesPlatformTotal?: boolean;
}

/** The name of the total among the grades. */
export const TOTAL = "total";
