import { unescapeHtml } from "#foundation/text/unescape-html.js";
import { coursePattern, pathPattern } from "../../learners/learning-context-key.js";
import type { PlainRecord } from "../../learners/plain-record.js";
import { completionRecord } from "../driver/course-total.js";
import type { ConnectorDriver, Lookups, RecordPage, Scope, Source, Stage, Target } from "../driver/driver.js";
import { leftOut } from "../driver/left-out.js";
import { PullError } from "../driver/pull-error.js";
import { WHOLE_LIST } from "../driver/read-json.js";
import { stageIf } from "../driver/stage-if.js";
import { checkEdx } from "./check-edx.js";
import { isRetired, readAccounts, readAccountsById } from "./edx-accounts.js";
import { createEdxApi, type EdxApi } from "./edx-api.js";
import { courseGradeRecords, createPolicies, gradeRecords, type Policies, pointsPage } from "./edx-grades.js";
import {
  completionPath,
  courseGradesPath,
  coursesPath,
  enrollmentsPath,
  gradebookPath,
} from "./edx-paths.js";
import { unreleasedIn } from "./edx-releases.js";
import { type EdxSettings, edxSettings } from "./edx-settings.js";
import {
  completions,
  courseGrades,
  courseGradesOfOne,
  courseList,
  enrollments,
  gradebook,
  gradebookEntry,
  learningPaths,
  pathEnrollments,
  retirements,
} from "./edx-shapes.js";
import { followStreams } from "./events/follow-stream.js";

const DAY_MS = 86_400_000;

/** How far back retirements are read. They are listed by request date, and take two weeks or longer to complete. */
const RETIREMENT_LOOKBACK_MS = 60 * DAY_MS;

export const openEdx: ConnectorDriver = {
  name: "openedx",
  summary: "Open edX: courses, grading policies, enrolments, accounts, grades, completion, learning paths.",
  settings: edxSettings,
  open(rawSettings, http): Source {
    const settings = rawSettings as EdxSettings;
    const api = createEdxApi(settings, http);
    const policies = createPolicies(api);
    const stages: Stage[] = [
      { name: "retirements", each: "sweep", isOptional: true, page: () => retirementsPage(api) },
      ...stageIf(settings.paths, { name: "paths", each: "sweep", page: (cursor) => pathsPage(api, cursor) }),
      { name: "courses", each: "sweep", page: (cursor) => coursesPage(api, settings, cursor) },
      { name: "policy", each: "course", page: (_, scope) => policyPage(scope, policies) },
      {
        name: "enrolments",
        each: "course",
        listsEnrollments: true,
        page: (cursor, scope, lookups) => enrollmentsPage(api, settings, cursor, scope, lookups),
      },
      ...stageIf(settings.paths, {
        name: "path enrolments",
        each: "path",
        listsEnrollments: true,
        page: (_, scope, lookups) => pathEnrollmentsPage(api, settings, scope, lookups),
      }),
      {
        name: "points",
        each: "course",
        page: (cursor, scope, lookups) => pointsPage(api, cursor, scope, lookups, policies),
      },
      {
        name: "grades",
        each: "course",
        async page(cursor, scope, lookups) {
          const { value, sentAt } = await api.get("gradebook", cursor ?? gradebookPath(scope), gradebook);
          const { sound, odd } = value.results;
          return {
            requestedAt: sentAt,
            records: await gradeRecords(scope, sound, lookups),
            people: peopleOf(sound),
            next: api.next(value.next),
            ...leftOut({ "row of the gradebook that is not as expected": odd }),
          };
        },
      },
      {
        name: "course grades",
        each: "course",
        async page(cursor, scope) {
          const path = cursor ?? courseGradesPath(scope);
          const { value, sentAt } = await api.get("course-grades", path, courseGrades);
          const { sound, odd } = value.results;
          return {
            requestedAt: sentAt,
            records: courseGradeRecords(scope, sound),
            next: api.next(value.next),
            ...leftOut({ "course grade that is not as expected": odd }),
          };
        },
      },
      ...stageIf(settings.completion === "aggregator", {
        name: "completion",
        each: "course",
        page: (cursor, scope) => completionPage(api, cursor, scope),
      }),
    ];
    const { events } = settings;
    return {
      stages,
      check: () => checkEdx(api, settings),
      pull: (target, lookups) => readLearner(api, settings, target, lookups),
      ...(events && { follow: (sink, signal) => followStreams(events, sink, signal) }),
    };
  },
};

async function coursesPage(api: EdxApi, settings: EdxSettings, cursor: string | null): Promise<RecordPage> {
  const path = cursor ?? coursesPath(settings.username);
  const { value, sentAt } = await api.get("courses", path, courseList);
  const listed = value.results.map((course) => ({
    externalId: course.course_id ?? course.id ?? "",
    displayName: unescapeHtml(course.name),
  }));
  const courses = listed.filter(({ externalId }) => coursePattern.test(externalId));
  return {
    requestedAt: sentAt,
    records: [],
    contexts: courses.map((course) => ({ ...course, contextKey: course.externalId })),
    next: api.next(value.pagination.next),
    ...(value.pagination.num_pages && { pages: value.pagination.num_pages }),
    ...leftOut({ "course key of another form": listed.length - courses.length }),
  };
}

async function policyPage(scope: Scope, policies: Policies): Promise<RecordPage> {
  const { requestedAt, assignmentTypes, letterGrades, subsections } = await policies.read(scope);
  return {
    requestedAt,
    next: null,
    records: [
      {
        kind: "course",
        courseKey: scope.contextKey,
        displayName: scope.displayName,
        gradingPolicy: assignmentTypes,
        letterGrades,
      },
    ],
    subsections,
  };
}

async function enrollmentsPage(
  api: EdxApi,
  settings: EdxSettings,
  cursor: string | null,
  scope: Scope,
  lookups: Lookups,
): Promise<RecordPage> {
  const { value, sentAt } = await api.get("enrollments", cursor ?? enrollmentsPath(scope), enrollments);
  const current = value.results.filter(({ user }) => !isRetired(user));
  const unread = await lookups.unread(current.map(({ user }) => user));
  const accounts = await readAccounts(api, settings, unread);
  return {
    requestedAt: sentAt,
    records: [...accounts.records, ...enrollmentRecords(current, scope)],
    people: accounts.people,
    next: api.next(value.next),
    ...leftOut({ "retired account": value.results.length - current.length }),
  };
}

function enrollmentRecords(
  listed: readonly { readonly user: string; readonly is_active: boolean }[],
  scope: Scope,
): PlainRecord[] {
  return listed.map(({ user, is_active }) => ({
    kind: "enrollment",
    username: user,
    learningContextKey: scope.contextKey,
    isActive: is_active,
  }));
}

async function pathsPage(api: EdxApi, cursor: string | null): Promise<RecordPage> {
  const { value, sentAt } = await api.get(
    "learning-paths",
    cursor ?? "/api/learning_paths/v1/learning-paths/",
    learningPaths,
  );
  const paths = value.results.filter(({ key }) => pathPattern.test(key));
  return {
    requestedAt: sentAt,
    next: api.next(value.next),
    records: paths.map((path) => ({
      kind: "learningPath",
      pathKey: path.key,
      displayName: path.display_name,
      inviteOnly: path.invite_only,
      category: "",
      stepCourseKeys: [...path.steps].sort((a, b) => a.order - b.order).map(({ course_key }) => course_key),
    })),
    contexts: paths.map(({ key, display_name }) => ({
      contextKey: key,
      externalId: key,
      displayName: display_name,
    })),
    ...leftOut({ "path key of another form": value.results.length - paths.length }),
  };
}

/** Reads the enrolments in a path. They identify learners by the LMS's id, not by username. */
async function pathEnrollmentsPage(
  api: EdxApi,
  settings: EdxSettings,
  scope: Scope,
  lookups: Lookups,
): Promise<RecordPage> {
  const path = `/api/learning_paths/v1/${encodeURIComponent(scope.externalId)}/enrollments/`;
  const { value, sentAt } = await api.get("path-enrollments", path, pathEnrollments, WHOLE_LIST);
  const ids = value.map(({ user }) => String(user));
  const knownUsernames = await lookups.usernamesOf(ids);
  const others = await readAccountsById(
    api,
    settings,
    ids.filter((id) => !knownUsernames.has(id)),
  );
  const usernames = new Map([
    ...knownUsernames,
    ...others.people.map((one) => [one.externalId, one.username] as const),
  ]);
  const named = value.flatMap(({ user, is_active }) => {
    const username = usernames.get(String(user));
    return username === undefined ? [] : [{ user: username, is_active }];
  });
  return {
    requestedAt: sentAt,
    next: null,
    records: [...others.records, ...enrollmentRecords(named, scope)],
    people: others.people,
    ...leftOut({ "path enrolment of an unknown account": value.length - named.length }),
  };
}

function peopleOf(rows: readonly { readonly user_id: number; readonly username: string }[]) {
  return rows
    .filter(({ username }) => !isRetired(username))
    .map(({ user_id, username }) => ({ externalId: String(user_id), username }));
}

async function completionPage(api: EdxApi, cursor: string | null, scope: Scope): Promise<RecordPage> {
  const requestedAt = new Date();
  const withheld = cursor === null ? await unreleasedIn(api, scope) : "";
  if (withheld !== "") return { requestedAt, next: null, records: [], hasNoCompletion: true, withheld };
  const path = cursor ?? completionPath(scope);
  const { value, sentAt } = await api.get("completion-aggregator", path, completions);
  const { sound, odd } = value.results;
  return {
    requestedAt: sentAt,
    next: api.next(value.pagination.next),
    records: sound.flatMap(({ username, completion }) => {
      if (username === undefined) {
        const text =
          "completion-aggregator: the LMS returns no usernames. The user of the application must be staff.";
        throw new PullError("forbidden", text);
      }
      return isRetired(username) ? [] : [completionRecord(username, scope, completion.percent)];
    }),
    ...leftOut({ "row of completion that is not as expected": odd }),
  };
}

async function retirementsPage(api: EdxApi): Promise<RecordPage> {
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const [from, to] = [day(Date.now() - RETIREMENT_LOOKBACK_MS), day(Date.now() + DAY_MS)];
  const path = `/api/user/v1/accounts/retirements_by_status_and_date/?start_date=${from}&end_date=${to}&state=COMPLETE`;
  const { value, sentAt } = await api.get("retirements", path, retirements, WHOLE_LIST);
  return {
    requestedAt: sentAt,
    next: null,
    records: [],
    gone: value.map(({ original_username, created }) => ({
      username: original_username,
      since: new Date(created),
    })),
  };
}

/**
 * Reads one learner. Sends at most seven requests: account, site language, enrolment, grades, the LMS's own grade,
 * releases, completion.
 */
async function readLearner(
  api: EdxApi,
  settings: EdxSettings,
  { username, externalId, course }: Target,
  lookups: Lookups,
): Promise<RecordPage> {
  const requestedAt = new Date();
  const accounts = externalId
    ? await readAccountsById(api, settings, [externalId])
    : await readAccounts(api, settings, [username]);
  const records: PlainRecord[] = [...accounts.records];
  const name = accounts.people[0]?.username;
  if (name === undefined || !course) return { requestedAt, records, people: accounts.people, next: null };
  const of = `username=${encodeURIComponent(name)}`;
  const enrolled = await api.get("enrollments", enrollmentsPath(course, of), enrollments);
  records.push(...enrollmentRecords(enrolled.value.results, course));
  const isActive = enrolled.value.results.some(({ is_active }) => is_active);
  if (!isActive) return { requestedAt, records, people: accounts.people, next: null };
  const { value: own } = await api.get("gradebook", gradebookPath(course, of), gradebookEntry);
  records.push(...(await gradeRecords(course, [own], lookups)));
  const { value: stated } = await api.get("course-grades", courseGradesPath(course, of), courseGradesOfOne);
  records.push(...courseGradeRecords(course, stated));
  if (settings.completion === "aggregator" && (await unreleasedIn(api, course)) === "") {
    const { value } = await api.get("completion-aggregator", completionPath(course, of), completions);
    for (const { completion } of value.results.sound)
      records.push(completionRecord(name, course, completion.percent));
  }
  return { requestedAt, records, people: accounts.people, next: null };
}
