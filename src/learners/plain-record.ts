import type { LearnerRecord } from "./record.js";

/**
 * A record in plain values, as sources other than the API state it: connectors and tables. It is not checked
 * yet; fields have the meaning and the limits of `record.proto`.
 */
export type PlainRecord =
  | {
      readonly kind: "learner";
      readonly username: string;
      readonly email?: string;
      readonly fullName: string;
      readonly isActive?: boolean;
      readonly locale?: string;
      readonly learnerId?: string;
    }
  | {
      readonly kind: "course";
      readonly courseKey: string;
      readonly displayName: string;
      readonly gradingPolicy: readonly { readonly assignmentType: string; readonly weight: number }[];
    }
  | {
      readonly kind: "learningPath";
      readonly pathKey: string;
      readonly displayName: string;
      readonly inviteOnly: boolean;
      readonly stepCourseKeys: readonly string[];
    }
  | {
      readonly kind: "enrollment";
      readonly username: string;
      readonly learningContextKey: string;
      readonly isActive: boolean;
    }
  | {
      readonly kind: "subsectionGrade";
      readonly username: string;
      readonly courseKey: string;
      readonly usageKey: string;
      readonly assignmentType: string;
      readonly earned: number;
      readonly possible: number;
    }
  | {
      readonly kind: "completion";
      readonly username: string;
      readonly courseKey: string;
      readonly percent: number;
    }
  | {
      readonly kind: "courseGrade";
      readonly username: string;
      readonly courseKey: string;
      readonly percent: number;
      readonly passed: boolean;
    };

/** Checks a plain record. @throws Problem `invalid` naming the field and the reason */
export type ParsePlainRecord = (record: PlainRecord, observedAt: Date | undefined) => LearnerRecord;
