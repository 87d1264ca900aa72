import { z } from "zod";
import { organisation } from "../driver/course-keys.js";
import { secret } from "../driver/secret.js";

/** Settings of a Moodle connector, in addition to those of every connector. */
export const moodleSettings = z.object({
  /**
   * The token of a web service user. The web service must include the functions that `connector check` tries.
   */
  token: secret,
  organisation,
  /** The language of multilingual names, for example `es`. Default: the language of the service's user. */
  language: z
    .string()
    .regex(/^[a-z]{2,3}(_[a-z]{2,10})*$/, "must be a language of Moodle, such as `es` or `pt_br`")
    .optional(),
  /** Short names of the course roles that make a user a learner. */
  roles: z.array(z.string().min(1)).min(1).default(["student"]),
  /** Whether to read Moodle's own course progress, which takes one request for each learner. */
  completion: z.boolean().default(false),
  /** Whether to accept a total while some of the learner's items are ungraded and Moodle leaves them out. */
  partial_totals: z.boolean().default(false),
});

export type MoodleSettings = z.output<typeof moodleSettings>;
