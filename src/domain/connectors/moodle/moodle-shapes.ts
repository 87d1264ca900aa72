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
    /** Absent if the site's full name format leaves it out. */
    lastname: z.string().optional(),
    /** Absent without moodle/course:useremail, unless the learner shows it. */
    email: z.string().optional(),
    /** Absent if it is empty. */
    idnumber: z.string().default(""),
    roles: rows(z.object({ shortname: z.string() })).optional(),
  }),
);

export const userIds = rows(z.object({ id: z.number() }));

/** Whether accounts may be used at all: lists of a course do not say it. */
export const accounts = rows(
  z.object({
    id: z.number(),
    /** Absent if the site hides it from the service's user. */
    suspended: z.boolean().optional(),
    /** Absent without moodle/user:viewalldetails. */
    confirmed: z.union([z.boolean(), z.number(), z.string()]).optional(),
    /** The language that the learner reads, such as `pt_br`. Absent without moodle/user:viewalldetails. */
    lang: z.string().optional(),
  }),
);

const gradeItem = z.object({
  itemtype: z.string(),
  /** Null: nothing is graded yet, or hidden items blank it. Absent: the grade is hidden from the service's user. */
  graderaw: z.number().nullish(),
  /** Absent if the teacher hides ranges in the user report. */
  grademin: z.number().optional(),
  grademax: z.number().optional(),
  /** True if the total could not be computed again. */
  gradeneedsupdate: z.boolean().nullish(),
  /** Share in the total; absent if the teacher hides weights in the user report. */
  weightraw: z.number().nullish(),
  /** `novalue`: it is not in the total because it has no grade. */
  status: z.string().nullish(),
  idnumber: z.string().nullish(),
});

export type GradeItem = z.output<typeof gradeItem>;

export const gradeItems = z.object({
  usergrades: rows(z.object({ userid: z.number(), gradeitems: rows(gradeItem) })),
});

/** The courses in which a learner is active, and how far they are. A course that is hidden from learners is absent. */
export const userCourses = rows(
  z.object({
    id: z.number(),
    enablecompletion: z.boolean(),
    completionhascriteria: z.boolean(),
    completionusertracked: z.boolean(),
    /** Percent. Null: there is nothing to complete, or it may not be seen. */
    progress: z.number().nullable(),
    /** Null: the course has no completion, or it may not be seen. */
    completed: z.boolean().nullable(),
  }),
);

export const courseCompletion = z.object({ completionstatus: z.object({ completed: z.boolean() }) });

export const siteInfo = z.object({
  userid: z.number(),
  release: z.string(),
  userissiteadmin: z.boolean().default(false),
  functions: rows(z.object({ name: z.string() })),
});

/** Who has a capability on the front page, where everyone is enrolled. */
export const holders = rows(z.object({ capability: z.string(), users: rows(z.object({ id: z.number() })) }));
