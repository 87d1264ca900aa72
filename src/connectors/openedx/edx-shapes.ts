import { z } from "zod";

/*
 * What is read of the answers of Open edX, restated from the sources of openedx-platform (enrolments, grades and
 * user API v1, courses API v1), openedx-completion-aggregator 4.2 and learning-paths-plugin 0.4. Other fields are
 * ignored.
 */

const link = z.string().nullish();

export const courseList = z.object({
  results: z.array(
    z.object({ course_id: z.string().optional(), id: z.string().optional(), name: z.string() }),
  ),
  pagination: z.object({ next: link, num_pages: z.number().nullish() }),
});

export const gradingInfo = z.object({
  assignment_types: z.record(
    z.string(),
    z.object({
      type: z.string(),
      weight: z.number(),
      drop_count: z.number().default(0),
      min_count: z.number().default(0),
    }),
  ),
  subsections: z.array(
    z.object({
      module_id: z.string(),
      graded: z.boolean().default(true),
      assignment_type: z.string().nullish(),
    }),
  ),
  grade_cutoffs: z.record(z.string(), z.number()).default({}),
});

export const gradebook = z.object({
  next: link,
  total_users_count: z.number().nullish(),
  results: z.array(
    z.object({
      user_id: z.number(),
      username: z.string(),
      percent: z.number(),
      section_breakdown: z.array(
        z.object({
          module_id: z.string(),
          attempted: z.boolean().default(false),
          score_earned: z.number(),
          score_possible: z.number(),
        }),
      ),
    }),
  ),
});

export const subsectionGrade = z.object({
  original_grade: z.object({ possible_graded: z.number(), possible_all: z.number().optional() }).nullish(),
});

export const enrollments = z.object({
  next: link,
  results: z.array(z.object({ user: z.string(), is_active: z.boolean(), course_id: z.string().optional() })),
});

export const accounts = z.array(
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
  results: z.array(z.object({ username: z.string(), completion: z.object({ percent: z.number() }) })),
  pagination: z.object({ next: link, num_pages: z.number().nullish() }),
});

export const learningPaths = z.object({
  next: link,
  results: z.array(
    z.object({
      key: z.string(),
      display_name: z.string(),
      invite_only: z.boolean().default(true),
      steps: z.array(z.object({ order: z.number(), course_key: z.string() })),
    }),
  ),
});

export const pathEnrollments = z.array(z.object({ user: z.number(), is_active: z.boolean().default(true) }));

export const retirements = z.array(z.object({ original_username: z.string(), created: z.string() }));
