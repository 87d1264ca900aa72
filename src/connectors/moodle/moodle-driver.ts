import type { PlainRecord } from "../../learners/plain-record.js";
import type { CheckResult, ConnectorDriver, Lookups, Page, Scope, Source, Stage } from "../driver/driver.js";
import { PullError } from "../driver/pull-error.js";
import { WHOLE_LIST } from "../driver/read-json.js";
import { tryRead } from "../driver/try-read.js";
import { slugOf } from "./course-slug.js";
import { createMoodleApi, type MoodleApi } from "./moodle-api.js";
import { type MoodleSettings, moodleSettings } from "./moodle-settings.js";
import { activities, courses, gradeItems, users } from "./moodle-shapes.js";

/** The site itself is a course, too. */
const SITE_COURSE = 1;

const PAGE_SIZE = 200;

/** Moodle does not page grades: of a larger course, learners are asked for one by one. */
const WHOLE_COURSE = 500;

const TOTAL_TYPE = "course total";
const TOTAL_KEY = "course-total";

/** Moodle, through its web services. */
export const moodle: ConnectorDriver = {
  name: "moodle",
  summary: "Moodle: courses, enrolments, course totals, completion of activities.",
  settings: moodleSettings,
  open(given, http): Source {
    const settings = given as MoodleSettings;
    const api = createMoodleApi(settings, http);
    const stages: Stage[] = [
      { name: "courses", each: "sweep", page: () => coursesPage(api, settings) },
      { name: "policy", each: "course", page: async (_, scope) => policyPage(scope) },
      {
        name: "enrolments",
        each: "course",
        listsEnrollments: true,
        page: (cursor, scope) => enrolmentsPage(api, cursor, scope),
      },
      {
        name: "grades",
        each: "course",
        page: (cursor, scope, lookups) => gradesPage(api, cursor, scope, lookups),
      },
      ...(settings.completion
        ? [
            {
              name: "completion",
              each: "course" as const,
              page: (cursor: string | null, scope: Scope, lookups: Lookups) =>
                completionPage(api, cursor, scope, lookups),
            },
          ]
        : []),
    ];
    return { stages, check: () => checkMoodle(api, settings) };
  },
};

async function coursesPage(api: MoodleApi, { organisation }: MoodleSettings): Promise<Page> {
  const { value, sentAt } = await api.call("core_course_get_courses", {}, courses, WHOLE_LIST);
  const own = value.filter(({ id }) => id !== SITE_COURSE);
  return {
    askedAt: sentAt,
    records: [],
    next: null,
    contexts: own.map(({ id, shortname, fullname, displayname }) => ({
      contextKey: `course-v1:${organisation}+${slugOf(shortname)}+${id}`,
      externalId: String(id),
      displayName: displayname ?? fullname,
    })),
  };
}

/** The course's own total is its only graded subsection: weights of Moodle do not map onto ours. */
function policyPage({ contextKey, displayName }: Scope): Page {
  return {
    askedAt: new Date(),
    next: null,
    records: [
      {
        kind: "course",
        courseKey: contextKey,
        displayName,
        gradingPolicy: [{ assignmentType: TOTAL_TYPE, weight: 1 }],
      },
    ],
    subsections: [{ usageKey: TOTAL_KEY, assignmentType: TOTAL_TYPE }],
  };
}

/** Both lists are ordered by id: the active ones are looked for up to the last of the page. */
async function enrolmentsPage(api: MoodleApi, cursor: string | null, scope: Scope): Promise<Page> {
  const from = Number(cursor ?? 0);
  const { value: listed, sentAt } = await listUsers(api, scope, false, from);
  const last = listed.at(-1)?.id ?? 0;
  const active = new Set<number>();
  for (let start = 0; listed.length > 0; start += PAGE_SIZE) {
    const { value } = await listUsers(api, scope, true, start);
    for (const { id } of value) active.add(id);
    if (value.length < PAGE_SIZE || (value.at(-1)?.id ?? 0) >= last) break;
  }
  const named = listed.flatMap((user) => (user.username ? [{ ...user, username: user.username }] : []));
  if (listed.length > 0 && named.length === 0) {
    throw new PullError(
      "forbidden",
      "core_enrol_get_enrolled_users: usernames are left out. The user needs moodle/user:viewalldetails.",
    );
  }
  const records = named.flatMap(({ id, username, email, fullname, suspended, idnumber }): PlainRecord[] => [
    {
      kind: "learner",
      username,
      email: email ?? "",
      fullName: fullname,
      isActive: !suspended,
      learnerId: idnumber,
    },
    {
      kind: "enrollment",
      username,
      learningContextKey: scope.contextKey,
      isActive: active.has(id) && !suspended,
    },
  ]);
  const unnamed = listed.length - named.length;
  return {
    askedAt: sentAt,
    records,
    people: named.map(({ id, username }) => ({ externalId: String(id), username })),
    next: listed.length < PAGE_SIZE ? null : String(from + PAGE_SIZE),
    ...(unnamed > 0 && { leftOut: { "account without a username": unnamed } }),
  };
}

function listUsers(api: MoodleApi, { externalId }: Scope, onlyActive: boolean, from: number) {
  return api.call(
    "core_enrol_get_enrolled_users",
    {
      courseid: externalId,
      ...option(0, "onlyactive", onlyActive ? 1 : 0),
      ...option(1, "limitfrom", from),
      ...option(2, "limitnumber", PAGE_SIZE),
      ...option(3, "sortby", "id"),
      ...option(4, "sortdirection", "ASC"),
    },
    users,
  );
}

function option(index: number, name: string, value: string | number) {
  return { [`options[${index}][name]`]: name, [`options[${index}][value]`]: value };
}

/** Everybody at once while the course is small, else a learner at a time. */
async function gradesPage(
  api: MoodleApi,
  cursor: string | null,
  scope: Scope,
  lookups: Lookups,
): Promise<Page> {
  const askedAt = new Date();
  const ids = await activeIds(api, scope, cursor);
  const totals = await wholeTotals(api, cursor, scope, ids);
  const asked = ids.slice(0, totals ? undefined : PAGE_SIZE);
  const known = totals ?? [];
  if (!totals)
    for (const userid of asked) known.push(...(await totalsOf(api, scope, userid, new Set([userid]))));
  const names = await lookups.usernamesOf(known.map(({ id }) => id));
  const records = known.flatMap(({ id, earned, possible }): PlainRecord[] => {
    const username = names.get(id);
    if (username === undefined || possible === 0) return [];
    const { contextKey: courseKey } = scope;
    const of = { username, courseKey, usageKey: TOTAL_KEY, assignmentType: TOTAL_TYPE };
    const percent = Math.min(1, earned / possible);
    return [
      { kind: "subsectionGrade", ...of, earned, possible },
      { kind: "courseGrade", username, courseKey, percent, passed: false },
    ];
  });
  return { askedAt, records, next: asked.length < ids.length ? (asked.at(-1) ?? null) : null };
}

/** A learner's total, in points. */
interface Total {
  readonly id: string;
  readonly earned: number;
  readonly possible: number;
}

/** @returns undefined if learners must be asked for one by one: they are many, or their grade items are */
async function wholeTotals(
  api: MoodleApi,
  cursor: string | null,
  scope: Scope,
  ids: readonly string[],
): Promise<Total[] | undefined> {
  if (cursor !== null || ids.length > WHOLE_COURSE) return undefined;
  if (ids.length === 0) return [];
  return totalsOf(api, scope, "0", new Set(ids)).catch((error) => {
    if (error instanceof PullError && error.fault === "excessive") return undefined;
    throw error;
  });
}

/** @param userid 0: all */
async function totalsOf(
  api: MoodleApi,
  { externalId: courseid }: Scope,
  userid: string,
  wanted: ReadonlySet<string>,
): Promise<Total[]> {
  const { value } = await api.call("gradereport_user_get_grade_items", { courseid, userid }, gradeItems);
  return value.usergrades.flatMap(({ userid: id, gradeitems }) => {
    const total = gradeitems.find(({ itemtype }) => itemtype === "course");
    // A hidden grade is not there: nothing is known about it, which is not 0.
    if (total?.graderaw === undefined || !wanted.has(String(id))) return [];
    const { graderaw, grademin, grademax } = total;
    return [
      {
        id: String(id),
        earned: Math.max(0, (graderaw ?? grademin) - grademin),
        possible: Math.max(0, grademax - grademin),
      },
    ];
  });
}

async function completionPage(
  api: MoodleApi,
  cursor: string | null,
  scope: Scope,
  lookups: Lookups,
): Promise<Page> {
  const askedAt = new Date();
  const ids = await activeIds(api, scope, cursor);
  const asked = ids.slice(0, PAGE_SIZE);
  const names = await lookups.usernamesOf(asked);
  const records: PlainRecord[] = [];
  for (const userid of asked) {
    const username = names.get(userid);
    if (username === undefined) continue;
    const { value } = await api.call(
      "core_completion_get_activities_completion_status",
      { courseid: scope.externalId, userid },
      activities,
    );
    const tracked = value.statuses.filter(({ tracking }) => tracking > 0);
    const done = tracked.filter(({ state }) => state === 1 || state === 2).length;
    const percent = tracked.length === 0 ? 0 : done / tracked.length;
    records.push({ kind: "completion", username, courseKey: scope.contextKey, percent });
  }
  return { askedAt, records, next: asked.length < ids.length ? (asked.at(-1) ?? null) : null };
}

/** Returns the ids of active learners after one, in their order. */
async function activeIds(api: MoodleApi, { externalId }: Scope, after: string | null): Promise<string[]> {
  const fields = { ...option(0, "onlyactive", 1), ...option(1, "userfields", "id,fullname") };
  const { value } = await api.call(
    "core_enrol_get_enrolled_users",
    { courseid: externalId, ...fields },
    users,
    WHOLE_LIST,
  );
  return value
    .filter(({ id, suspended }) => id > Number(after ?? 0) && !suspended)
    .map(({ id }) => id)
    .sort((a, b) => a - b)
    .map(String);
}

async function* checkMoodle(api: MoodleApi, settings: MoodleSettings): AsyncGenerator<CheckResult> {
  const found: { course?: Scope } = {};
  const first = await tryRead("courses", async () => {
    const { contexts = [] } = await coursesPage(api, settings);
    if (contexts[0]) found.course = contexts[0];
    return `${contexts.length} courses`;
  });
  yield first;
  const { course } = found;
  if (first.outcome === "failed") return;
  if (!course) {
    yield {
      what: "a course",
      outcome: "warning",
      text: "There is none: enrolments and grades were not tried.",
    };
    return;
  }
  yield await tryRead("enrolments", async () => {
    const { people = [] } = await enrolmentsPage(api, null, course);
    return `${people.length} on the first page of one course`;
  });
  yield await tryRead("grades", async () => {
    const args = { courseid: course.externalId, userid: 0 };
    await api.call("gradereport_user_get_grade_items", args, gradeItems);
    return "it may read grades";
  });
}
