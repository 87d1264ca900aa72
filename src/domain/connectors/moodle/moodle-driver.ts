import { unescapeHtml } from "#foundation/text/unescape-html.js";
import { keyedCourses } from "../driver/course-keys.js";
import { totalPolicy } from "../driver/course-total.js";
import type { ConnectorDriver, Lookups, RecordPage, Source, Stage } from "../driver/driver.js";
import { WHOLE_LIST } from "../driver/read-json.js";
import { stageIf } from "../driver/stage-if.js";
import { checkMoodle } from "./check-moodle.js";
import { createMoodleAccount, FRONT_PAGE } from "./moodle-account.js";
import { createMoodleApi, type MoodleApi } from "./moodle-api.js";
import { completionPage, createProgressReader } from "./moodle-completion.js";
import { enrolmentsPage } from "./moodle-enrolments.js";
import { gradesPage } from "./moodle-grades.js";
import { createActiveIds } from "./moodle-learners.js";
import { type MoodleSettings, moodleSettings } from "./moodle-settings.js";
import { courses } from "./moodle-shapes.js";

export const moodle: ConnectorDriver = {
  name: "moodle",
  summary: "Moodle: courses, enrolments, course totals, progress.",
  settings: moodleSettings,
  open(rawSettings, http): Source {
    const settings = rawSettings as MoodleSettings;
    const api = createMoodleApi(settings, http);
    const parts = {
      api,
      settings,
      account: createMoodleAccount(api),
      activeIds: createActiveIds(api),
      readProgress: createProgressReader(api),
    };
    const stages: Stage[] = [
      { name: "courses", each: "sweep", page: (_, __, lookups) => coursesPage(api, settings, lookups) },
      { name: "policy", each: "course", page: async (_, scope) => totalPolicy(scope) },
      {
        name: "enrolments",
        each: "course",
        listsEnrollments: true,
        page: (cursor, scope) => enrolmentsPage(parts, cursor, scope),
      },
      {
        name: "grades",
        each: "course",
        page: (cursor, scope, lookups) => gradesPage(parts, cursor, scope, lookups),
      },
      ...stageIf(settings.completion, {
        name: "completion",
        each: "course",
        page: (cursor, scope, lookups) => completionPage(parts, cursor, scope, lookups),
      }),
    ];
    const listCourses = () => coursesPage(api, settings, { keysOf: async () => new Map() });
    return { stages, check: () => checkMoodle(parts, listCourses) };
  },
};

async function coursesPage(
  api: MoodleApi,
  { organisation }: MoodleSettings,
  lookups: Pick<Lookups, "keysOf">,
): Promise<RecordPage> {
  const { value, sentAt } = await api.call("core_course_get_courses", {}, courses, WHOLE_LIST);
  const named = value
    .filter(({ id }) => id !== FRONT_PAGE)
    .map(({ id, shortname, fullname }) => ({
      id: String(id),
      shortName: unescapeHtml(shortname),
      displayName: unescapeHtml(fullname),
    }));
  const contexts = await keyedCourses(named, organisation, lookups);
  return { requestedAt: sentAt, records: [], next: null, contexts };
}
