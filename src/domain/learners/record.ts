/** One fact from the learning platform; see `proto/learning_credentials/v1/record.proto`. */
export type LearnerRecord =
  | LearnerFact
  | CourseFact
  | LearningPathFact
  | EnrollmentFact
  | SubsectionGradeFact
  | CompletionFact
  | CourseGradeFact;

/** The institution's own texts, by key; see `parseAttributes`. */
export type Attributes = Readonly<Record<string, string>>;

export const NO_ATTRIBUTES: Attributes = {};

export interface Fact {
  /** True if the fact is withdrawn; then only the key fields have a meaning. */
  readonly isDeleted: boolean;
  /** ISO 8601 in UTC; null: the time of writing. */
  readonly observedAt: string | null;
}

export interface LearnerFact extends Fact {
  readonly kind: "learner";
  readonly username: string;
  /** Empty: the learner has no address. null: not stated, so the known address is kept. */
  readonly email: string | null;
  readonly fullName: string;
  readonly isActive: boolean;
  readonly locale: string;
  /** The institution's own ID of the learner; may be empty. */
  readonly learnerId: string;
  readonly attributes: Attributes;
  /** The source that owns the record: see `owners.ts`. */
  readonly owner: string;
  /** If true, the source of this record becomes its owner. */
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
  /** The platform's letter grades, best first; empty if it has none, or if their order is unknown. */
  readonly letterGrades: readonly string[];
}

export interface LearningPathFact extends Fact {
  readonly kind: "learningPath";
  readonly pathKey: string;
  readonly displayName: string;
  readonly inviteOnly: boolean;
  readonly stepCourseKeys: readonly string[];
  /** What the path is called instead of "learning path"; empty for the default. */
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
  /** The platform's own total, a fraction 0..1; null if unknown. */
  readonly percent: number | null;
  /** Whether the platform considers the course passed; null if it doesn't say. */
  readonly passed: boolean | null;
  /** The platform's letter grade; empty if unknown. */
  readonly letter: string;
}

export type RecordKind = LearnerRecord["kind"];
