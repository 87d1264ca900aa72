import { z } from "zod";
import { rows } from "../driver/rows.js";

/* What is read of the answers of Moodle's web services, restated from the sources of moodle. */

export const courses = rows(
  z.object({
    id: z.number(),
    shortname: z.string(),
    fullname: z.string(),
    displayname: z.string().optional(),
  }),
);

export const users = rows(
  z.object({
    id: z.number(),
    username: z.string().optional(),
    fullname: z.string(),
    email: z.string().optional(),
    suspended: z.boolean().default(false),
    idnumber: z.string().default(""),
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
          grademin: z.number().default(0),
          grademax: z.number().default(100),
        }),
      ),
    }),
  ),
});

export const activities = z.object({
  statuses: rows(z.object({ cmid: z.number(), state: z.number(), tracking: z.number().default(1) })),
});
