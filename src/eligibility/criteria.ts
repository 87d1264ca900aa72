/** What a learner must have attained in one course. */
export interface Criteria {
  /** Present for grade-based credentials. */
  readonly grades?: RequiredGrades;
  /** Present for completion-based credentials: a fraction 0..1, at most 6 decimals. */
  readonly completion?: number;
}

/** Percentages 0..100, at most 6 decimals. */
export interface RequiredGrades {
  /** By assignment type in lower case. Each must have been attempted, too. */
  readonly byAssignmentType: ReadonlyMap<string, number>;
  /** 0: none is required. */
  readonly total: number;
}

/** The name under which the total stands among the grades. */
export const TOTAL = "total";
