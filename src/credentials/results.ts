/**
 * What the learner had attained when a credential was issued, as far as its requirements ask for it. It is
 * stored with the credential as JSON, in this form.
 */
export interface Results {
  /** The course itself, or the steps of the learning path in order. */
  readonly courses: readonly CourseResult[];
}

export interface CourseResult {
  readonly course_key: string;
  /** Display name; absent if the course has no record. */
  readonly name?: string;
  /** Percentages of the assignment types that were attempted, and `total`; present if grades are required. */
  readonly grades?: Readonly<Record<string, number>>;
  /**
   * The assignment types of the grading policy, in its order: the database keeps none in an object. Absent in
   * steps of learning paths.
   */
  readonly grade_order?: readonly string[];
  /** A fraction 0..1; present if completion is required. */
  readonly completion?: number;
}
