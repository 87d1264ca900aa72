import { z } from "zod";
import { rows } from "../driver/rows.js";

/* The fields used from Canvas's responses. `test/connectors/fake-canvas.ts` names the class that writes each field. */

/** Ids are requested as strings (`canvas-string-ids`), because JavaScript can't represent large numbers exactly. */
const id = z.union([z.string().min(1), z.number().int()]).transform(String);

const points = z.number().nullish();

/** `expires_in` is absent if the token does not expire. */
export const token = z.object({
  access_token: z.string().min(1),
  expires_in: z.number().positive().optional(),
});

/** The grading scheme, which determines letter grades; 0 for Canvas's default scheme, null for no scheme. */
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
  /** Contains only a link if the service user may not see grades. */
  grades: z
    .object({
      /** Treats ungraded and unposted work as 0. Null if no assignment in the total has points. */
      final_score: points,
      /** Absent if the grade is not overridden. */
      override_score: points,
      /** Only in courses with a grading scheme. */
      final_grade: z.string().nullish(),
      override_grade: z.string().nullish(),
    })
    .optional(),
});

export const users = rows(
  z.object({
    id,
    name: z.string().nullish(),
    /** Absent if the account has no login id at this Canvas, or if the service user may not see it. */
    login_id: z.string().nullish(),
    sis_user_id: z.string().nullish(),
    /** Absent if the service user may not see it; null if the account has none. */
    email: z.string().nullish(),
    /** Null if the learner hasn't chosen a language. */
    locale: z.string().nullish(),
    /** One enrolment per section. Absent if the developer key does not allow `include[]`. */
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
        /** Null if the grade is hidden from the learner. A hidden grade is not part of the total. */
        posted_at: z.string().nullish(),
        /** False if the assignment is only for other sections. */
        assignment_visible: z.boolean().nullish(),
      }),
    ),
  }),
);

export const modules = rows(
  z.object({
    /** Absent if the service user may not see unpublished modules. */
    published: z.boolean().optional(),
    items_count: z.number().optional(),
    /** Absent if there are too many items, or if the developer key does not allow `include[]`. */
    items: rows(
      z.object({
        published: z.boolean().optional(),
        completion_requirement: z.unknown().optional(),
      }),
    ).optional(),
  }),
);

/** In a list of learners, a learner's progress may be an error object without numbers. */
export const progress = z.object({
  requirement_count: z.number().optional(),
  requirement_completed_count: z.number().optional(),
});

export const bulkProgress = rows(z.object({ id, progress }));
