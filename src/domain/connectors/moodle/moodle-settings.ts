import { z } from "zod";
import { organisation } from "../driver/course-keys.js";

/** Settings of a Moodle connector, besides those of every connector. */
export const moodleSettings = z.object({
  /** Of a web service user, for a service with the functions that `connector check` tries. */
  token_file: z.string().min(1),
  organisation,
  /** The language of names that have several, such as `es`. Default: the one of the service's user. */
  language: z
    .string()
    .regex(/^[a-z]{2,3}(_[a-z]{2,10})*$/, "must be a language of Moodle, such as `es` or `pt_br`")
    .optional(),
  /** Short names of the roles in a course that make a learner. */
  roles: z.array(z.string().min(1)).min(1).default(["student"]),
  /** Whether Moodle's own progress in courses is read: one request for each learner. */
  completion: z.boolean().default(false),
  /** Whether a total is taken while items of the learner are not graded yet and Moodle leaves them out. */
  partial_totals: z.boolean().default(false),
});

export type MoodleSettings = z.output<typeof moodleSettings>;
