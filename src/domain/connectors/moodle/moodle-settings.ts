import { z } from "zod";
import { organisation } from "../driver/course-keys.js";
import { secret } from "../driver/secret.js";

export const moodleSettings = z.object({
  /** Token of the service user. The web service must include the functions that `connector check` tries. */
  token: secret,
  organisation,
  /** Language of multilingual names, for example `es`. Default: the language of the service user. */
  language: z
    .string()
    .regex(/^[a-z]{2,3}(_[a-z]{2,10})*$/, "must be a language of Moodle, such as `es` or `pt_br`")
    .optional(),
  /** Short names of the course roles that make a user a learner. */
  roles: z.array(z.string().min(1)).min(1).default(["student"]),
  /** Whether to read Moodle's own course progress, which takes a request per learner. */
  completion: z.boolean().default(false),
  /** Whether to accept a total from which Moodle leaves out ungraded items. */
  partial_totals: z.boolean().default(false),
});

export type MoodleSettings = z.output<typeof moodleSettings>;
