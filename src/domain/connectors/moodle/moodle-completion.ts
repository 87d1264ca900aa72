import type { z } from "zod";
import { memoized } from "#foundation/concurrency/memoized.js";
import { counted } from "#foundation/text/counted.js";
import type { PlainRecord } from "../../learners/plain-record.js";
import { completionRecord } from "../driver/course-total.js";
import type { Lookups, RecordPage, Scope } from "../driver/driver.js";
import { leftOut } from "../driver/left-out.js";
import { PullError } from "../driver/pull-error.js";
import type { MoodleApi } from "./moodle-api.js";
import { type ActiveIds, idsAfter, isForbidden, oneByOne, PAGE_SIZE } from "./moodle-learners.js";
import { courseCompletion, userCourses } from "./moodle-shapes.js";

/** Maximum number of learners whose progress is cached. */
const MAX_CACHED = 20_000;

type LearnerCourse = z.output<typeof userCourses>[number];

interface Progress {
  readonly sentAt: Date;
  /** A fraction; undefined if unknown. */
  readonly percent: number | undefined;
  /**
   * Whether the course's own completion criteria are met; undefined if the course has none, or if Moodle doesn't report
   * it.
   */
  readonly passed: boolean | undefined;
  /** Why the fraction is unknown. */
  readonly why?: "not tracked" | "hidden course" | "no completion";
}

/** @throws PullError `forbidden` if the service user may not see the progress */
export type ReadProgress = (scope: Scope, userid: string) => Promise<Progress>;

/**
 * Creates a reader of Moodle's own percentages. It sends one request for all courses of a learner, and another one for
 * each course hidden from learners. Counting completed activities instead would miss activities hidden from the service
 * user.
 */
export function createProgressReader(api: MoodleApi): ReadProgress {
  const ofLearner = memoized(
    async (userid: string) => {
      const args = { userid, returnusercount: 0 };
      const { value, sentAt } = await api.call("core_enrol_get_users_courses", args, userCourses);
      return { sentAt, courses: new Map(value.map((course) => [String(course.id), course])) };
    },
    { limit: MAX_CACHED },
  );
  const verdict = memoized(
    (one: { readonly courseid: string; readonly userid: string }) => readVerdict(api, one),
    { keyOf: ({ courseid, userid }) => `${courseid} ${userid}`, limit: MAX_CACHED },
  );
  return async ({ externalId: courseid }, userid) => {
    const { sentAt, courses } = await ofLearner(userid);
    const course = courses.get(courseid);
    return course ? { sentAt, ...progressIn(course) } : verdict({ courseid, userid });
  };
}

function progressIn(course: LearnerCourse): Omit<Progress, "sentAt"> {
  const { enablecompletion, completed, completionusertracked, completionhascriteria, progress } = course;
  if (!enablecompletion) return { percent: undefined, passed: undefined, why: "no completion" };
  if (completed === null) {
    throw new PullError(
      "forbidden",
      "core_enrol_get_users_courses: Moodle returns no progress. The user needs report/completion:view.",
    );
  }
  if (!completionusertracked) return { percent: undefined, passed: undefined, why: "not tracked" };
  const passed = completionhascriteria ? completed : undefined;
  if (progress !== null) return { percent: progress / 100, passed };
  return completionhascriteria
    ? { percent: 0, passed }
    : { percent: undefined, passed, why: "no completion" };
}

/** Reads whether a learner has completed a course in which Moodle shows no progress. */
async function readVerdict(
  api: MoodleApi,
  args: { readonly courseid: string; readonly userid: string },
): Promise<Progress> {
  const sentAt = new Date();
  const unknown = { sentAt, percent: undefined, passed: undefined };
  try {
    const name = "core_completion_get_course_completion_status";
    const { completed } = (await api.call(name, { ...args }, courseCompletion)).value.completionstatus;
    return completed
      ? { sentAt, percent: 1, passed: true }
      : { ...unknown, passed: false, why: "hidden course" };
  } catch (error) {
    switch (error instanceof PullError ? error.code : undefined) {
      case "cannotviewreport":
        return { ...unknown, why: "no completion" };
      case "nocriteriaset":
        return { ...unknown, why: "hidden course" };
      case "usernotenroled":
        return { ...unknown, why: "not tracked" };
      default:
        throw error;
    }
  }
}

/** Reads the progress of learners. Unknown progress is recorded as not attained. */
export async function completionPage(
  { activeIds, readProgress }: { readonly activeIds: ActiveIds; readonly readProgress: ReadProgress },
  cursor: string | null,
  scope: Scope,
  lookups: Lookups,
): Promise<RecordPage> {
  const ids = idsAfter(await activeIds(scope), cursor);
  const batch = ids.slice(0, PAGE_SIZE);
  const names = await lookups.usernamesOf(batch);
  const now = new Date();
  const named = batch.filter((userid) => names.has(userid));
  let result: Awaited<ReturnType<typeof oneByOne<Progress & { readonly username: string }>>>;
  try {
    result = await oneByOne(named, async (userid) => ({
      username: names.get(userid) ?? "",
      ...(await readProgress(scope, userid)),
    }));
  } catch (error) {
    if (!isForbidden(error)) throw error;
    const withheld = `completion: unknown. ${error.message}`;
    return { requestedAt: now, records: [], withheld, hasNoCompletion: true, next: null };
  }
  const { read, skipped } = result;
  const requestedAt = read.reduce((first, { sentAt }) => (sentAt < first ? sentAt : first), now);
  const count = (reason: Progress["why"]) => read.filter(({ why }) => why === reason).length;
  if (cursor === null && read.length > 0 && count("no completion") === read.length)
    return { requestedAt, records: [], hasNoCompletion: true, next: null };
  const hidden = count("hidden course");
  return {
    requestedAt,
    records: read.flatMap(({ username, percent, why }): PlainRecord[] => {
      const fraction = why === "hidden course" ? 0 : percent;
      return fraction === undefined ? [] : [completionRecord(username, scope, fraction)];
    }),
    ...leftOut({ ...skipped, "learner whose completion Moodle does not track": count("not tracked") }),
    ...(hidden > 0 && {
      withheld:
        `completion of ${counted(hidden, "learner")}: of a course that is hidden from learners, Moodle only says who has completed ` +
        "it. Show the course to learners until credentials are issued",
    }),
    next: batch.length < ids.length ? (batch.at(-1) ?? null) : null,
  };
}
