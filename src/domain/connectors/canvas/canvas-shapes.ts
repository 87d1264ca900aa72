import { z } from "zod";
import { rows } from "../driver/rows.js";

/*
 * What is read of the answers of Canvas. `.docs/connectors.md` names the class that writes each of them. Other
 * fields are ignored.
 */

/** A text, as requested for by `canvas-string-ids`: ids of large sites are above what a JSON number keeps exactly. */
const id = z.union([z.string().min(1), z.number().int()]).transform(String);

const points = z.number().nullish();

/** `expires_in` is absent if tokens of the key do not expire. */
export const token = z.object({
  access_token: z.string().min(1),
  expires_in: z.number().positive().optional(),
});

/** Of a course: the grading scheme that gives letter grades; 0 is the one that Canvas brings along. Null: none does. */
const grading_standard_id = id.nullish();

export const courses = rows(
  z.object({
    id,
    name: z.string().nullish(),
    course_code: z.string().nullish(),
    workflow_state: z.string(),
    grading_standard_id,
  }),
);

export const course = z.object({ grading_standard_id });

export const gradingStandard = z.object({
  grading_scheme: rows(z.object({ name: z.string(), value: z.number() })),
});

export const ownEnrolments = rows(z.object({ course_id: id }));

const enrolment = z.object({
  type: z.string(),
  enrollment_state: z.string(),
  /** Without the right to see grades, it has a link only. */
  grades: z
    .object({
      /** Ungraded work counts as 0, unposted work, too. Null: nothing that counts has points. */
      final_score: points,
      /** Absent: nobody has overridden it. */
      override_score: points,
      /** Letter grades of these scores, where the course has a grading scheme. */
      final_grade: z.string().nullish(),
      override_grade: z.string().nullish(),
    })
    .optional(),
});

export const users = rows(
  z.object({
    id,
    name: z.string().nullish(),
    /** Absent without the right to see it, and of an account without a login here. */
    login_id: z.string().nullish(),
    /** Absent without the right to see it. */
    sis_user_id: z.string().nullish(),
    /** Absent without the right to see it; null: there is none. */
    email: z.string().nullish(),
    /** Null: the learner has chosen none. */
    locale: z.string().nullish(),
    /** Absent if the developer key does not allow `include[]`. One for each section. */
    enrollments: rows(enrolment).optional(),
  }),
);

export const assignmentGroups = rows(
  z.object({
    id,
    name: z.string(),
    group_weight: points,
    rules: z
      .object({
        drop_lowest: z.number().int().nullish(),
        drop_highest: z.number().int().nullish(),
        never_drop: rows(id).nullish(),
      })
      .nullish(),
    /** Absent if the developer key does not allow `include[]`. */
    assignments: rows(
      z.object({
        id,
        points_possible: points,
        published: z.boolean().default(true),
        omit_from_final_grade: z.boolean().nullish(),
        submission_types: rows(z.string()).default([]),
      }),
    ).optional(),
  }),
);

export const groupedSubmissions = rows(
  z.object({
    user_id: id,
    /** Absent if the developer key does not allow `include[]`. */
    computed_final_score: points,
    submissions: rows(
      z.object({
        assignment_id: id,
        score: points,
        excused: z.boolean().nullish(),
        /** Null: the learner does not see the grade yet, and it does not count. */
        posted_at: z.string().nullish(),
        /** False: the assignment is for other sections. */
        assignment_visible: z.boolean().nullish(),
      }),
    ),
  }),
);

export const modules = rows(
  z.object({
    /** Absent without the right to see what is not published. */
    published: z.boolean().optional(),
    items_count: z.number().optional(),
    /** Absent if there are too many, or if the developer key does not allow `include[]`. */
    items: rows(
      z.object({
        published: z.boolean().optional(),
        completion_requirement: z.unknown().optional(),
      }),
    ).optional(),
  }),
);

/** Of one learner. In a list, it may be an error instead of numbers. */
export const progress = z.object({
  requirement_count: z.number().optional(),
  requirement_completed_count: z.number().optional(),
});

export const bulkProgress = rows(z.object({ id, progress }));
