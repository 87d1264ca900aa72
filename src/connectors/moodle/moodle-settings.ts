import { z } from "zod";

/** Settings of a Moodle connector, besides those of every connector. */
export const moodleSettings = z.object({
  /** Of a web service user, for a service with the functions that `connector check` tries. */
  token_file: z.string().min(1),
  /** The organisation in keys of courses: `course-v1:{organisation}+{short name}+{id}`. */
  organisation: z
    .string()
    .regex(/^[\p{L}\p{N}_\-~.:]+$/u, "must have letters, digits, `_`, `-`, `~`, `.` and `:` only"),
  /** Whether completion of activities is read: one request for each learner and course. */
  completion: z.boolean().default(false),
});

export type MoodleSettings = z.output<typeof moodleSettings>;
