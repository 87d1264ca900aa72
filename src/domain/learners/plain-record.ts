import type {
  CompletionFact,
  CourseFact,
  CourseGradeFact,
  EnrollmentFact,
  Fact,
  LearnerFact,
  LearnerRecord,
  LearningPathFact,
  SubsectionGradeFact,
} from "./record.js";

/**
 * A record in plain values, as connectors and tables state it. It has not been validated; fields have the meaning and
 * limits of `record.proto`.
 */
export type PlainRecord =
  | (Pick<LearnerFact, "kind" | "username" | "fullName"> & {
      readonly email?: string;
    } & Partial<Pick<LearnerFact, "isActive" | "locale" | "learnerId" | "attributes">>)
  | (Pick<CourseFact, "kind" | "courseKey" | "displayName"> & {
      readonly gradingPolicy: readonly { readonly assignmentType: string; readonly weight: number }[];
      readonly letterGrades?: readonly string[];
    })
  | Stated<LearningPathFact>
  | (Omit<Stated<EnrollmentFact>, "attributes"> & Partial<Pick<EnrollmentFact, "attributes">>)
  | Stated<SubsectionGradeFact>
  | Stated<CompletionFact>
  | (Pick<CourseGradeFact, "kind" | "username" | "courseKey"> & {
      readonly percent?: number;
      readonly passed?: boolean;
      readonly letter?: string;
    });

type Stated<Kind extends Fact> = Omit<Kind, keyof Fact>;

/** Validates a plain record. @throws Problem `invalid` naming the field and the reason */
export type ParsePlainRecord = (
  record: PlainRecord,
  observedAt: Date | undefined,
  owner?: string,
) => LearnerRecord;
