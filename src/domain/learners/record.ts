/** A fact from a learning platform. See `proto/learning_credentials/v1/record.proto`. */
export type LearnerRecord =
  | LearnerFact
  | CourseFact
  | LearningPathFact
  | EnrollmentFact
  | SubsectionGradeFact
  | CompletionFact
  | CourseGradeFact;

/** The institution's own texts, by key. See `parseAttributes`. */
export type Attributes = Readonly<Record<string, string>>;

export const NO_ATTRIBUTES: Attributes = {};

export interface Fact {
  /** Whether the fact is withdrawn. If so, only the key fields have a meaning. */
  readonly isDeleted: boolean;
  /** ISO 8601 in UTC; null for the time of writing. */
  readonly observedAt: string | null;
}

export interface LearnerFact extends Fact {
  readonly kind: "learner";
  readonly username: string;
  /** Empty if there is no address; null if the record does not state the address, so that the stored one is kept. */
  readonly email: string | null;
  readonly fullName: string;
  readonly isActive: boolean;
  readonly locale: string;
  /** The institution's own ID of the learner; may be empty. */
  readonly learnerId: string;
  readonly attributes: Attributes;
  /** The source that owns the record. See `owners.ts`. */
  readonly owner: string;
  /** Whether the source of this record becomes the owner of the learner's record. */
  readonly takesOver: boolean;
}

export interface CourseFact extends Fact {
  readonly kind: "course";
  readonly courseKey: string;
  readonly displayName: string;
  /** In lower case, in the order of the grading policy; parallel to `weights`. */
  readonly assignmentTypes: readonly string[];
  /** Fractions 0..1. */
  readonly weights: readonly number[];
  /** Best first. Empty if the platform has no letter grades, or if their order is unknown. */
  readonly letterGrades: readonly string[];
}

export interface LearningPathFact extends Fact {
  readonly kind: "learningPath";
  readonly pathKey: string;
  readonly displayName: string;
  readonly inviteOnly: boolean;
  readonly stepCourseKeys: readonly string[];
  /** The term for this path; empty for the default term. */
  readonly category: string;
}

export interface EnrollmentFact extends Fact {
  readonly kind: "enrollment";
  readonly username: string;
  readonly learningContextKey: string;
  readonly isActive: boolean;
  readonly attributes: Attributes;
}

export interface SubsectionGradeFact extends Fact {
  readonly kind: "subsectionGrade";
  readonly username: string;
  readonly courseKey: string;
  readonly usageKey: string;
  /** In lower case. */
  readonly assignmentType: string;
  /** Points. */
  readonly earned: number;
  readonly possible: number;
}

export interface CompletionFact extends Fact {
  readonly kind: "completion";
  readonly username: string;
  readonly courseKey: string;
  /** A fraction 0..1. */
  readonly percent: number;
}

export interface CourseGradeFact extends Fact {
  readonly kind: "courseGrade";
  readonly username: string;
  readonly courseKey: string;
  /** The platform's own total as a fraction 0..1; null if unknown. */
  readonly percent: number | null;
  /** The platform's verdict; null if unknown. */
  readonly passed: boolean | null;
  /** The platform's letter grade; empty if unknown. */
  readonly letter: string;
}

export type RecordKind = LearnerRecord["kind"];
