import { z } from "zod";
import { rows } from "../driver/rows.js";

/*
 * What is read of the answers of Open edX. Other fields are ignored. The sources are openedx-platform (enrolments,
 * grades and user API v1, courses API v1), openedx-completion-aggregator 4.2 and learning-paths-plugin 0.4.
 */

const link = z.string().nullish();

export const courseList = z.object({
  results: rows(z.object({ course_id: z.string().optional(), id: z.string().optional(), name: z.string() })),
  pagination: z.object({ next: link, num_pages: z.number().nullish() }),
});

/** A course has a few assignment types and grades. A record of many wrong entries would make an error of each. */
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

export const gradebook = z.object({
  next: link,
  results: rows(
    z.object({
      user_id: z.number(),
      username: z.string(),
      percent: z.number(),
      section_breakdown: rows(
        z.object({
          module_id: z.string(),
          score_earned: z.number(),
          score_possible: z.number(),
        }),
      ),
    }),
  ),
});

export const subsectionGrade = z.object({
  original_grade: z.object({ possible_graded: z.number() }).nullish(),
});

export const enrollments = z.object({
  next: link,
  results: rows(z.object({ user: z.string(), is_active: z.boolean() })),
});

export const accounts = rows(
  z.object({
    id: z.number(),
    username: z.string(),
    email: z.string().nullish(),
    name: z.string().nullish(),
    verified_name: z.string().nullish(),
    is_active: z.boolean().default(true),
  }),
);

export const completions = z.object({
  results: rows(z.object({ username: z.string(), completion: z.object({ percent: z.number() }) })),
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
