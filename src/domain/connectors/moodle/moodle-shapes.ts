import { z } from "zod";
import { rows } from "../driver/rows.js";

/*
 * The fields used from answers of Moodle's web services. `.docs/connectors.md` names the Moodle class that writes each
 * of them. Texts may be HTML-escaped by Moodle's `format_string`.
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
    /** Absent without the capability moodle/user:viewalldetails. */
    username: z.string().optional(),
    fullname: z.string(),
    /** Absent if the site's full name format leaves it out. */
    lastname: z.string().optional(),
    /** Absent without the capability moodle/course:useremail, unless the learner shows it to everyone. */
    email: z.string().optional(),
    /** Absent if it is empty. */
    idnumber: z.string().default(""),
    roles: rows(z.object({ shortname: z.string() })).optional(),
  }),
);

export const userIds = rows(z.object({ id: z.number() }));

/** Whether accounts are active, which participant lists of a course don't show. */
export const accounts = rows(
  z.object({
    id: z.number(),
    /** Absent if the site hides it from the service's user. */
    suspended: z.boolean().optional(),
    /** Absent without the capability moodle/user:viewalldetails. */
    confirmed: z.union([z.boolean(), z.number(), z.string()]).optional(),
    /**
     * The learner's preferred language, for example `pt_br`. Absent without the capability moodle/user:viewalldetails.
     */
    lang: z.string().optional(),
  }),
);

const gradeItem = z.object({
  itemtype: z.string(),
  /** Null if nothing is graded yet, or if hidden items blank the grade. Absent if hidden from the service's user. */
  graderaw: z.number().nullish(),
  /** Absent if the user report is set to hide ranges. */
  grademin: z.number().optional(),
  grademax: z.number().optional(),
  /** True if Moodle failed to recalculate the total. */
  gradeneedsupdate: z.boolean().nullish(),
  /** The item's weight in the total. Absent if the user report is set to hide weights. */
  weightraw: z.number().nullish(),
  /** `novalue`: the item is not part of the total because it has no grade. */
  status: z.string().nullish(),
  idnumber: z.string().nullish(),
});

export type GradeItem = z.output<typeof gradeItem>;

export const gradeItems = z.object({
  usergrades: rows(z.object({ userid: z.number(), gradeitems: rows(gradeItem) })),
});

/** The courses in which a learner is active, and the learner's progress. Courses hidden from learners are absent. */
export const userCourses = rows(
  z.object({
    id: z.number(),
    enablecompletion: z.boolean(),
    completionhascriteria: z.boolean(),
    completionusertracked: z.boolean(),
    /** In percent. Null if the course has nothing to complete, or if the service's user may not see it. */
    progress: z.number().nullable(),
    /** Null if the course doesn't track completion, or if the service's user may not see it. */
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

/** Users with a capability on the front page, in which everyone is enrolled. */
export const holders = rows(z.object({ capability: z.string(), users: rows(z.object({ id: z.number() })) }));
