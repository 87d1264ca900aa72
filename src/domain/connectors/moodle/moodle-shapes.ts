import { z } from "zod";
import { rows } from "../driver/rows.js";

/*
 * The fields used from Moodle's responses. `test/connectors/fake-moodle.ts` names the function that writes each field.
 * Moodle's `format_string` may have HTML-escaped the texts.
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
    /** Requires the capability moodle/user:viewalldetails. */
    username: z.string().optional(),
    fullname: z.string(),
    /** Absent if the site's full name format doesn't include it. */
    lastname: z.string().optional(),
    /** Requires the capability moodle/course:useremail, unless the learner shows the address to everyone. */
    email: z.string().optional(),
    /** Absent if empty. */
    idnumber: z.string().default(""),
    roles: rows(z.object({ shortname: z.string() })).optional(),
  }),
);

export const userIds = rows(z.object({ id: z.number() }));

/** Accounts show whether they are active; participant lists don't. */
export const accounts = rows(
  z.object({
    id: z.number(),
    /** Absent if the site hides this field. */
    suspended: z.boolean().optional(),
    /** Requires the capability moodle/user:viewalldetails. */
    confirmed: z.union([z.boolean(), z.number(), z.string()]).optional(),
    /** For example `pt_br`. Requires the capability moodle/user:viewalldetails. */
    lang: z.string().optional(),
  }),
);

const gradeItem = z.object({
  itemtype: z.string(),
  /** Null if the item is not graded, or blanked because of hidden items. Absent if hidden from the service user. */
  graderaw: z.number().nullish(),
  /** Absent if the user report hides ranges. */
  grademin: z.number().optional(),
  grademax: z.number().optional(),
  /** True if Moodle failed to recalculate the total. */
  gradeneedsupdate: z.boolean().nullish(),
  /** Weight in the total. Absent if the user report hides weights. */
  weightraw: z.number().nullish(),
  /** `novalue` if the item is left out of the total because it has no grade. */
  status: z.string().nullish(),
  idnumber: z.string().nullish(),
});

export type GradeItem = z.output<typeof gradeItem>;

export const gradeItems = z.object({
  usergrades: rows(z.object({ userid: z.number(), gradeitems: rows(gradeItem) })),
});

/** The courses in which a learner is active. Courses hidden from learners are absent. */
export const userCourses = rows(
  z.object({
    id: z.number(),
    enablecompletion: z.boolean(),
    completionhascriteria: z.boolean(),
    completionusertracked: z.boolean(),
    /** In percent; null if the course has nothing to complete, or if the service user may not see the progress. */
    progress: z.number().nullable(),
    /** Null if the course doesn't track completion, or if the service user may not see it. */
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

/** Users with a capability on the front page. */
export const holders = rows(z.object({ capability: z.string(), users: rows(z.object({ id: z.number() })) }));
