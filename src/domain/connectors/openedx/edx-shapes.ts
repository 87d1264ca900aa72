import { z } from "zod";
import { rows, soundRows } from "../driver/rows.js";

/* The fields used from Open edX's responses. `test/connectors/fake-open-edx.ts` names the classes that write them. */

const link = z.string().nullish();

export const courseList = z.object({
  results: rows(z.object({ course_id: z.string().optional(), id: z.string().optional(), name: z.string() })),
  pagination: z.object({ next: link, num_pages: z.number().nullish() }),
});

/**
 * An object with at most 1,000 entries. The limit prevents a response with very many invalid entries from producing as
 * many errors.
 */
function few<Value extends z.ZodType>(value: Value) {
  const some = z.record(z.string(), z.unknown()).refine((all) => Object.keys(all).length <= 1000);
  return some.pipe(z.record(z.string(), value));
}

export const gradingInfo = z.object({
  assignment_types: few(
    z.object({
      type: z.string(),
      weight: z.number(),
      drop_count: z.number().default(0),
      min_count: z.number().default(0),
    }),
  ),
  subsections: rows(
    z.object({
      module_id: z.string(),
      graded: z.boolean().default(true),
      assignment_type: z.string().nullish(),
    }),
  ),
  grade_cutoffs: few(z.number()).default({}),
});

/** One learner in the gradebook. If the request names a username, the response consists of this object alone. */
export const gradebookEntry = z.object({
  user_id: z.number(),
  username: z.string(),
  percent: z.number(),
  section_breakdown: rows(
    z.object({
      module_id: z.string(),
      category: z.string().nullish(),
      score_earned: z.number(),
      score_possible: z.number(),
    }),
  ),
});

export const gradebook = z.object({ next: link, results: soundRows(gradebookEntry) });

export const courseGrade = z.object({
  username: z.string(),
  /** Null if the course has no cut-off above 0. */
  passed: z.boolean().nullish(),
  percent: z.number(),
  letter_grade: z.string().nullish(),
});

export const courseGrades = z.object({ next: link, results: soundRows(courseGrade) });

export const courseGradesOfOne = rows(courseGrade);

export const releases = rows(
  z.object({
    /** Absent in releases before 2020. */
    start: z.string().nullish(),
    visible_to_staff_only: z.boolean().nullish(),
  }),
);

export const preferences = z.object({ "pref-lang": z.string().nullish().catch(undefined) });

export const subsectionGrade = z.object({
  /** False if the learner can't see the subsection. All points are then 0. Absent in releases before 2020. */
  success: z.boolean().default(true),
  original_grade: z.object({ possible_graded: z.number() }).nullish(),
});

export const enrollments = z.object({
  next: link,
  results: rows(z.object({ user: z.string(), is_active: z.boolean(), course_id: z.string().optional() })),
});

export const accounts = rows(
  z.object({
    id: z.number(),
    username: z.string(),
    email: z.string().nullish(),
    name: z.string().nullish(),
    verified_name: z.string().nullish(),
    /** Absent if the service user is not staff. */
    is_active: z.boolean().optional(),
  }),
);

export const completions = z.object({
  results: soundRows(
    z.object({
      /** Absent if the request was for a single learner. */
      username: z.string().optional(),
      completion: z.object({ percent: z.number() }),
    }),
  ),
  pagination: z.object({ next: link, num_pages: z.number().nullish() }),
});

export const learningPaths = z.object({
  next: link,
  results: rows(
    z.object({
      key: z.string(),
      display_name: z.string(),
      invite_only: z.boolean().default(true),
      steps: rows(z.object({ order: z.number(), course_key: z.string() })),
    }),
  ),
});

export const pathEnrollments = rows(z.object({ user: z.number(), is_active: z.boolean().default(true) }));

export const retirements = rows(z.object({ original_username: z.string(), created: z.string() }));
