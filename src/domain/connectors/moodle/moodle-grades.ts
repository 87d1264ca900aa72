import { counted } from "#foundation/text/counted.js";
import type { PlainRecord } from "../../learners/plain-record.js";
import { totalRecords } from "../driver/course-total.js";
import type { Lookups, RecordPage, Scope } from "../driver/driver.js";
import { leftOut } from "../driver/left-out.js";
import { PullError } from "../driver/pull-error.js";
import { type MoodleAccount, SILENT_CAPABILITIES } from "./moodle-account.js";
import type { MoodleApi } from "./moodle-api.js";
import type { ReadProgress } from "./moodle-completion.js";
import { type ActiveIds, idsAfter, isForbidden, oneByOne, PAGE_SIZE } from "./moodle-learners.js";
import type { MoodleSettings } from "./moodle-settings.js";
import { type GradeItem, gradeItems } from "./moodle-shapes.js";

/**
 * Maximum number of learners whose grades are read at once, because Moodle has no pages of grades. In larger courses,
 * each learner's grades are requested separately.
 */
const MAX_LEARNERS_AT_ONCE = 500;

/** Matches columns that this service adds to a gradebook over LTI. */
const LTI_COLUMN_ID = /^credential-\d+$/;

interface Parts {
  readonly api: MoodleApi;
  readonly account: MoodleAccount;
  readonly activeIds: ActiveIds;
  readonly readProgress: ReadProgress;
  readonly settings: Pick<MoodleSettings, "partial_totals" | "completion">;
}

/** The total in points, or the reason why it is unknown. */
type Total = { readonly earned: number; readonly possible: number } | { readonly unknown: Unknown };

type Unknown = keyof typeof UNKNOWN_REASONS;

const UNKNOWN_REASONS = {
  ranges:
    "the user report of the course hides ranges or grades: switch on Show ranges, Show grades and Show weightings in " +
    "Grades, Course grade settings",
  blanked: "Moodle reports no total although items are graded",
  pending: "Moodle has not recomputed the total",
  ungraded:
    "items are not graded yet, and Moodle's total leaves them out: grade them, untick Exclude empty grades in the course's " +
    "Gradebook setup so that they count as 0, or set partial_totals",
} as const;

/**
 * Reads a page of grades: all learners at once in a small course, otherwise one by one. Unknown grades are recorded as
 * not attained.
 */
export async function gradesPage(
  parts: Parts,
  cursor: string | null,
  scope: Scope,
  lookups: Lookups,
): Promise<RecordPage> {
  const { api, account, activeIds, settings } = parts;
  const requestedAt = new Date();
  const ids = idsAfter(await activeIds(scope), cursor);
  const hiddenReason = await hiddenGradesReason(account);
  const completeReport = hiddenReason ? undefined : await readCompleteReport(api, cursor, scope, ids);
  const batch = ids.slice(0, completeReport ? undefined : PAGE_SIZE);
  const next = batch.length < ids.length ? (batch.at(-1) ?? null) : null;
  const names = await lookups.usernamesOf(batch);
  const verdicts = settings.completion ? await readVerdicts(parts, scope, [...names.keys()]) : new Map();
  if (hiddenReason) {
    const records = [...names].flatMap(([id, username]) => unknownTotal(username, scope, verdicts.get(id)));
    return { requestedAt, records, withheld: hiddenReason, next };
  }
  const { read, skipped } = completeReport
    ? { read: [completeReport], skipped: {} }
    : await oneByOne(batch, (userid) => readItems(api, scope, userid));
  const records: PlainRecord[] = [];
  const unknown = new Map<Unknown, number>();
  for (const { userid, gradeitems } of read.flat()) {
    const username = names.get(String(userid));
    if (username === undefined) continue;
    const verdict = verdicts.get(String(userid));
    const total = totalOf(gradeitems, settings.partial_totals);
    if ("unknown" in total) {
      unknown.set(total.unknown, (unknown.get(total.unknown) ?? 0) + 1);
      records.push(...unknownTotal(username, scope, verdict));
    } else {
      const passed = verdict === undefined ? {} : { passed: verdict };
      records.push(...totalRecords(username, scope, total.earned, total.possible, passed));
    }
  }
  const reasons = [...unknown].map(([why, count]) => `${counted(count, "learner")}: ${UNKNOWN_REASONS[why]}`);
  return {
    requestedAt,
    records,
    ...leftOut(skipped),
    ...(reasons.length > 0 && { withheld: `course total of ${reasons.join("; of ")}` }),
    next,
  };
}

/** Returns why hidden grades may be missing from Moodle's totals, or `undefined` if they are included. */
async function hiddenGradesReason(account: MoodleAccount): Promise<string | undefined> {
  const { missing, unseen } = await account.silent();
  const what = "course total: unknown, because Moodle would leave out hidden grades.";
  if (unseen !== undefined)
    return `${what} Whether the user has ${SILENT_CAPABILITIES.hiddenGrades} can't be determined: ${unseen}`;
  return missing.includes(SILENT_CAPABILITIES.hiddenGrades)
    ? `${what} The user needs ${SILENT_CAPABILITIES.hiddenGrades}.`
    : undefined;
}

/**
 * Reads the grades of all learners at once. Returns `undefined` if learners must be read one by one, because there are
 * many learners or grade items.
 */
async function readCompleteReport(
  api: MoodleApi,
  cursor: string | null,
  scope: Scope,
  ids: readonly string[],
) {
  if (cursor !== null || ids.length > MAX_LEARNERS_AT_ONCE) return undefined;
  if (ids.length === 0) return [];
  const wanted = new Set(ids);
  return readItems(api, scope, "0").then(
    (all) => all.filter(({ userid }) => wanted.has(String(userid))),
    (error) => {
      // Moodle takes long to compute the gradebook for many learners, but is fast for one learner.
      if (error instanceof PullError && ["excessive", "unavailable"].includes(error.fault)) return undefined;
      throw error;
    },
  );
}

/** @param userid 0 for all learners */
export async function readItems(api: MoodleApi, { externalId: courseid }: Scope, userid: string) {
  const args = { courseid, userid };
  return (await api.call("gradereport_user_get_grade_items", args, gradeItems)).value.usergrades;
}

/** Returns the total. If an item in it is unknown, the total is unknown, too, rather than 0. */
function totalOf(items: readonly GradeItem[], takesPartial: boolean): Total {
  const total = items.find(({ itemtype }) => itemtype === "course");
  const { graderaw, grademin, grademax, gradeneedsupdate } = total ?? {};
  if (graderaw === undefined || grademin === undefined || grademax === undefined)
    return { unknown: "ranges" };
  if (gradeneedsupdate) return { unknown: "pending" };
  const own = items.filter(({ itemtype }) => itemtype !== "course" && itemtype !== "category");
  if (graderaw === null && own.some((item) => typeof item.graderaw === "number"))
    return { unknown: "blanked" };
  if (graderaw !== null && !takesPartial && own.some(isLeftOut)) return { unknown: "ungraded" };
  return {
    earned: Math.max(0, (graderaw ?? grademin) - grademin),
    possible: Math.max(0, grademax - grademin),
  };
}

/** Returns whether an item can be graded, but has no grade and is not part of the total. */
function isLeftOut({ graderaw, grademin, grademax, weightraw, status, idnumber }: GradeItem): boolean {
  if (graderaw !== null || grademax === grademin || LTI_COLUMN_ID.test(idnumber ?? "")) return false;
  return status ? status === "novalue" : !weightraw;
}

/** Returns records of 0 of 0 points, which replace an earlier grade. */
function unknownTotal(username: string, scope: Scope, passed: boolean | undefined): PlainRecord[] {
  const [points] = totalRecords(username, scope, 0, 0);
  const grade = { kind: "courseGrade", username, courseKey: scope.contextKey } as const;
  return [...(points ? [points] : []), { ...grade, ...(passed !== undefined && { passed }) }];
}

/** Returns whether each learner has completed the course, as far as Moodle reports it. */
async function readVerdicts({ readProgress }: Parts, scope: Scope, ids: readonly string[]) {
  const verdicts = new Map<string, boolean | undefined>();
  try {
    await oneByOne(ids, async (id) => verdicts.set(id, (await readProgress(scope, id)).passed));
  } catch (error) {
    if (!isForbidden(error)) throw error; // `completionPage` reports the missing capability
  }
  return verdicts;
}
