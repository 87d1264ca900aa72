import type { PlainRecord } from "../../learners/plain-record.js";
import { keyedCourses } from "../driver/course-keys.js";
import { completionRecord, totalPolicy, totalRecords } from "../driver/course-total.js";
import type { CheckResult, ConnectorDriver, Lookups, Page, Scope, Source, Stage } from "../driver/driver.js";
import { leftOut } from "../driver/left-out.js";
import { PullError } from "../driver/pull-error.js";
import { WHOLE_LIST } from "../driver/read-json.js";
import { stageIf } from "../driver/stage-if.js";
import { tryRead } from "../driver/try-read.js";
import { unescapeHtml } from "../driver/unescape-html.js";
import { createMoodleApi, faultOfOne, type MoodleApi } from "./moodle-api.js";
import { type MoodleSettings, moodleSettings } from "./moodle-settings.js";
import { accounts, activities, courses, gradeItems, users } from "./moodle-shapes.js";

/** The site itself is a course, too. */
const SITE_COURSE = 1;

const PAGE_SIZE = 200;

/** Moodle does not page grades: of a larger course, learners are asked for one by one. */
const WHOLE_COURSE = 500;

/** Of the learners of a page who can't be read one by one: with more, something is wrong with the course. */
const MOST = 0.5;

/** Moodle, through its web services. */
export const moodle: ConnectorDriver = {
  name: "moodle",
  summary: "Moodle: courses, enrolments, course totals, completion of activities.",
  settings: moodleSettings,
  open(given, http): Source {
    const settings = given as MoodleSettings;
    const api = createMoodleApi(settings, http);
    const stages: Stage[] = [
      { name: "courses", each: "sweep", page: (_, __, lookups) => coursesPage(api, settings, lookups) },
      { name: "policy", each: "course", page: async (_, scope) => totalPolicy(scope) },
      {
        name: "enrolments",
        each: "course",
        listsEnrollments: true,
        page: (cursor, scope) => enrolmentsPage(api, settings, cursor, scope),
      },
      {
        name: "grades",
        each: "course",
        page: (cursor, scope, lookups) => gradesPage(api, cursor, scope, lookups),
      },
      ...stageIf(settings.completion, {
        name: "completion",
        each: "course",
        page: (cursor, scope, lookups) => completionPage(api, cursor, scope, lookups),
      }),
    ];
    return { stages, check: () => checkMoodle(api, settings) };
  },
};

async function coursesPage(
  api: MoodleApi,
  { organisation }: MoodleSettings,
  lookups: Pick<Lookups, "keysOf">,
): Promise<Page> {
  const { value, sentAt } = await api.call("core_course_get_courses", {}, courses, WHOLE_LIST);
  const own = value.filter(({ id }) => id !== SITE_COURSE);
  const named = own.map(({ id, shortname, fullname }) => ({
    id: String(id),
    shortName: unescapeHtml(shortname),
    displayName: unescapeHtml(fullname),
  }));
  const contexts = await keyedCourses(named, organisation, lookups);
  return { askedAt: sentAt, records: [], next: null, contexts };
}

/**
 * Both lists are ordered by id: the active ones are looked for up to the last of the page. A list ends with an empty
 * page, as Moodle takes those whom the service's user may not see out of a page.
 */
async function enrolmentsPage(
  api: MoodleApi,
  { roles }: MoodleSettings,
  cursor: string | null,
  scope: Scope,
): Promise<Page> {
  const from = Number(cursor ?? 0);
  const { value: listed, sentAt } = await listUsers(api, scope, false, from);
  if (listed.length === 0) return { askedAt: sentAt, records: [], next: null };
  const last = listed.at(-1)?.id ?? 0;
  const active = new Set<number>();
  for (let start = 0, end = 0; end < last; start += PAGE_SIZE) {
    const { value } = await listUsers(api, scope, true, start);
    const before = end;
    end = value.at(-1)?.id ?? last;
    if (end <= before)
      throw new PullError("invalid", "core_enrol_get_enrolled_users: its pages lead in a circle.");
    for (const { id } of value) active.add(id);
  }
  const named = listed.flatMap((user) => (user.username ? [{ ...user, username: user.username }] : []));
  if (named.length === 0) {
    throw new PullError(
      "forbidden",
      "core_enrol_get_enrolled_users: usernames are left out. The user needs moodle/user:viewalldetails.",
    );
  }
  const learners = named.filter(
    (user) => user.roles?.some(({ shortname }) => roles.includes(shortname)) ?? true,
  );
  const usable = await readUsable(
    api,
    learners.map(({ id }) => id),
  );
  const known = learners.filter(({ id }) => usable.has(id));
  const records = known.flatMap(({ id, username, email, fullname, idnumber }): PlainRecord[] => {
    const isActive = usable.get(id) === true;
    return [
      {
        kind: "learner",
        username,
        ...(email !== undefined && { email }),
        fullName: unescapeHtml(fullname),
        isActive,
        learnerId: idnumber,
      },
      {
        kind: "enrollment",
        username,
        learningContextKey: scope.contextKey,
        isActive: isActive && active.has(id),
      },
    ];
  });
  return {
    askedAt: sentAt,
    records,
    people: known.map(({ id, username }) => ({ externalId: String(id), username })),
    next: String(from + PAGE_SIZE),
    ...leftOut({
      "account without a username": listed.length - named.length,
      "account in another role than those of learners": named.length - learners.length,
      "account of which Moodle does not say whether it is suspended": learners.length - known.length,
    }),
  };
}

/** Returns whether accounts may be used, by id: lists of a course do not say that an account is suspended. */
async function readUsable(api: MoodleApi, ids: readonly number[]): Promise<ReadonlyMap<number, boolean>> {
  if (ids.length === 0) return new Map();
  const args = Object.fromEntries(ids.map((id, index) => [`values[${index}]`, id]));
  const { value } = await api.call("core_user_get_users_by_field", { field: "id", ...args }, accounts);
  const told = value.flatMap(({ id, suspended, confirmed }) =>
    suspended === undefined
      ? []
      : [[id, !suspended && (confirmed === undefined || Number(confirmed) === 1)] as const],
  );
  if (told.length === 0) {
    throw new PullError(
      "forbidden",
      "core_user_get_users_by_field: it does not say who is suspended. The user needs moodle/user:viewdetails and " +
        "moodle/user:viewhiddendetails.",
    );
  }
  return new Map(told);
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
  const { read, passedOver } = totals
    ? { read: [totals], passedOver: {} }
    : await oneByOne(asked, (userid) => totalsOf(api, scope, userid, new Set([userid])));
  const known = read.flat();
  const names = await lookups.usernamesOf(known.map(({ id }) => id));
  const records = known.flatMap(({ id, earned, possible }): PlainRecord[] => {
    const username = names.get(id);
    return username === undefined || possible === 0 ? [] : totalRecords(username, scope, earned, possible);
  });
  return {
    askedAt,
    records,
    leftOut: passedOver,
    next: asked.length < ids.length ? (asked.at(-1) ?? null) : null,
  };
}

/**
 * Reads learners one by one. An odd account, such as one that was never confirmed, is passed over and counted.
 * @throws PullError if most of them can't be read
 */
async function oneByOne<T>(
  ids: readonly string[],
  read: (userid: string) => Promise<T>,
): Promise<{ readonly read: T[]; readonly passedOver: Readonly<Record<string, number>> }> {
  const all: T[] = [];
  const passedOver: Record<string, number> = {};
  let count = 0;
  for (const id of ids) {
    try {
      all.push(await read(id));
    } catch (error) {
      const fault = faultOfOne(error);
      if (fault === undefined || ++count > Math.max(1, ids.length * MOST)) throw error;
      const reason = `learner who can't be read: ${fault}`;
      passedOver[reason] = (passedOver[reason] ?? 0) + 1;
    }
  }
  return { read: all, passedOver };
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
    if (grademin === undefined || grademax === undefined) return [];
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
  const { read: records, passedOver } = await oneByOne(
    asked.filter((userid) => names.has(userid)),
    async (userid) =>
      completionRecord(names.get(userid) ?? "", scope, await completionOf(api, scope, userid)),
  );
  return {
    askedAt,
    records,
    leftOut: passedOver,
    next: asked.length < ids.length ? (asked.at(-1) ?? null) : null,
  };
}

async function completionOf(api: MoodleApi, { externalId }: Scope, userid: string): Promise<number> {
  const { value } = await api.call(
    "core_completion_get_activities_completion_status",
    { courseid: externalId, userid },
    activities,
  );
  const tracked = value.statuses.filter(({ tracking }) => tracking > 0);
  const done = tracked.filter(({ state }) => state === 1 || state === 2).length;
  return tracked.length === 0 ? 0 : done / tracked.length;
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
    .map(({ id }) => id)
    .filter((id) => id > Number(after ?? 0))
    .sort((a, b) => a - b)
    .map(String);
}

/** Asks each function, in each form in which a sweep asks it, for one course. */
async function* checkMoodle(api: MoodleApi, settings: MoodleSettings): AsyncGenerator<CheckResult> {
  const found: { course?: Scope; learner?: string; withoutAddress?: number } = {};
  const first = await tryRead("courses", async () => {
    const { contexts = [] } = await coursesPage(api, settings, { keysOf: async () => new Map() });
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
  const enrolments = await tryRead("enrolments", async () => {
    const { people = [], records } = await enrolmentsPage(api, settings, null, course);
    if (people[0]) found.learner = people[0].externalId;
    found.withoutAddress = records.filter((one) => one.kind === "learner" && one.email === undefined).length;
    return `${people.length} on the first page of one course`;
  });
  yield enrolments;
  if (found.withoutAddress) {
    yield {
      what: "addresses",
      outcome: "warning",
      text: `${found.withoutAddress} on that page are left out, and stay as they are. The user needs moodle/course:useremail.`,
    };
  }
  yield await tryRead("grades", async () => {
    await totalsOf(api, course, "0", new Set());
    return "it may read grades";
  });
  const { learner } = found;
  if (learner === undefined) return;
  yield await tryRead("one learner", async () => {
    await totalsOf(api, course, learner, new Set());
    return "it may read the grades of one learner, as in a large course";
  });
  if (settings.completion) {
    yield await tryRead("completion", async () => {
      await completionOf(api, course, learner);
      return "it may read the activities of one learner";
    });
  }
}
