import { z } from "zod";
import { rows } from "../driver/rows.js";

/*
 * What is read of the answers of Moodle's web services. `.docs/connectors.md` names the class that writes each of them.
 * Texts may be escaped, as `format_string` leaves them.
 */

export const courses = rows(
  z.object({
    id: z.number(),
    shortname: z.string(),
    fullname: z.string(),
  }),
);

export const users = rows(
  z.object({
    id: z.number(),
    /** Absent without moodle/user:viewalldetails. */
    username: z.string().optional(),
    fullname: z.string(),
    /** Absent without moodle/course:useremail, unless the learner shows it. */
    email: z.string().optional(),
    /** Absent if it is empty. */
    idnumber: z.string().default(""),
    roles: rows(z.object({ shortname: z.string() })).optional(),
  }),
);

/** Whether accounts may be used at all: lists of a course do not say it. */
export const accounts = rows(
  z.object({
    id: z.number(),
    /** Absent if the site hides it from the service's user. */
    suspended: z.boolean().optional(),
    /** Absent without moodle/user:viewalldetails. */
    confirmed: z.union([z.boolean(), z.number(), z.string()]).optional(),
  }),
);

export const gradeItems = z.object({
  usergrades: rows(
    z.object({
      userid: z.number(),
      gradeitems: rows(
        z.object({
          itemtype: z.string(),
          /** Null: nothing is graded yet. Absent: the grade is hidden from the service's user. */
          graderaw: z.number().nullish(),
          grademin: z.number().optional(),
          grademax: z.number().optional(),
        }),
      ),
    }),
  ),
});

export const activities = z.object({
  statuses: rows(z.object({ cmid: z.number(), state: z.number(), tracking: z.number().default(1) })),
});
