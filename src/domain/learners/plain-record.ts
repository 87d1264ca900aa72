import type {
  Attributes,
  CompletionFact,
  EnrollmentFact,
  Fact,
  RecordKind,
  SubsectionGradeFact,
} from "./record.js";

/** The fields of each kind of record, before validation. `record.proto` describes their meaning and limits. */
export interface RecordFields {
  readonly learner: {
    readonly username: string;
    readonly email?: string | undefined;
    readonly fullName: string;
    readonly isActive?: boolean | undefined;
    readonly locale?: string;
    readonly learnerId?: string;
    readonly attributes?: Attributes;
    readonly takeOver?: boolean;
  };
  readonly course: {
    readonly courseKey: string;
    readonly displayName: string;
    readonly gradingPolicy: readonly { readonly assignmentType: string; readonly weight: number }[];
    readonly letterGrades?: readonly string[];
  };
  readonly learningPath: {
    readonly pathKey: string;
    readonly displayName: string;
    readonly inviteOnly?: boolean | undefined;
    readonly stepCourseKeys: readonly string[];
    readonly category: string;
  };
  readonly enrollment: Pick<EnrollmentFact, "username" | "learningContextKey"> & {
    readonly isActive?: boolean | undefined;
    readonly attributes?: Attributes;
  };
  readonly subsectionGrade: Omit<SubsectionGradeFact, "kind" | keyof Fact>;
  readonly completion: Omit<CompletionFact, "kind" | keyof Fact>;
  readonly courseGrade: {
    readonly username: string;
    readonly courseKey: string;
    readonly percent?: number | undefined;
    readonly passed?: boolean | undefined;
    readonly letter?: string;
  };
}

/** A record that is not validated yet, in plain values. */
export type PlainRecord = { [Kind in RecordKind]: { readonly kind: Kind } & RecordFields[Kind] }[RecordKind];
