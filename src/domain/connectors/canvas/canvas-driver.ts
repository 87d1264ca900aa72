import { totalPolicy } from "../driver/course-total.js";
import type { ConnectorDriver, Lookups, RecordPage, Source, Stage, Target } from "../driver/driver.js";
import { onceByCourse } from "../driver/once-by-course.js";
import { stageIf } from "../driver/stage-if.js";
import { type GroupsReader, readGroups } from "./assignment-groups.js";
import { type CanvasApi, createCanvasApi } from "./canvas-api.js";
import { completionOf, completionPage } from "./canvas-completion.js";
import { coursesPage } from "./canvas-courses.js";
import { submissionsPath, usersPath } from "./canvas-endpoints.js";
import { partsPage, policyPage } from "./canvas-parts.js";
import { peoplePage } from "./canvas-people.js";
import { type CanvasSettings, canvasSettings } from "./canvas-settings.js";
import { checkCanvas } from "./check-canvas.js";
import { createGradingSchemes } from "./grading-schemes.js";

export const canvas: ConnectorDriver = {
  name: "canvas",
  summary: "Canvas: courses, enrolments, course totals, assignment groups, requirements of modules.",
  settings: canvasSettings,
  open(rawSettings, http): Source {
    const settings = rawSettings as CanvasSettings;
    const api = createCanvasApi(settings, http);
    const schemes = createGradingSchemes(api);
    const groupsOf = onceByCourse((scope) => readGroups(api, scope));
    const stages: Stage[] = [
      {
        name: "courses",
        each: "sweep",
        page: (cursor, _, lookups) => coursesPage(api, settings, cursor, lookups, schemes),
      },
      {
        name: "policy",
        each: "course",
        async page(_, scope) {
          const letters = await schemes.lettersOf(scope);
          return settings.parts ? policyPage(scope, groupsOf, letters) : totalPolicy(scope, [], letters);
        },
      },
      {
        name: "enrolments",
        each: "course",
        listsEnrollments: true,
        page: (cursor, scope) => peoplePage(api, settings, cursor ?? usersPath(scope), scope),
      },
      ...stageIf(settings.parts, {
        name: "assignment groups",
        each: "course",
        page: (cursor, scope, lookups) =>
          partsPage(api, cursor ?? submissionsPath(scope), scope, lookups, groupsOf),
      }),
      ...stageIf(settings.completion, {
        name: "completion",
        each: "course",
        page: (cursor, scope, lookups) => completionPage(api, cursor, scope, lookups),
      }),
    ];
    return {
      stages,
      check: () => checkCanvas(api, settings),
      pull: (target, lookups) => readLearner(api, settings, target, lookups, groupsOf),
    };
  },
};

/** Reads one learner: enrolments and total, submissions with their assignment groups, modules, progress. */
async function readLearner(
  api: CanvasApi,
  settings: CanvasSettings,
  { username, externalId, course }: Target,
  lookups: Lookups,
  groupsOf: GroupsReader,
): Promise<RecordPage> {
  const nothing: RecordPage = { requestedAt: new Date(), records: [], next: null };
  const id = externalId || (await lookups.idsOf([username])).get(username);
  if (!course || id === undefined) return nothing;
  const name = username || (await lookups.usernamesOf([id])).get(id);
  const peopleFound = await peoplePage(api, settings, usersPath(course, id), course);
  if (peopleFound.listed === 0 && name !== undefined) {
    const removed = { username: name, learningContextKey: course.contextKey, isActive: false };
    return { ...nothing, records: [{ kind: "enrollment", ...removed }] };
  }
  const { requestedAt, people } = peopleFound;
  const records = [...peopleFound.records];
  const [person] = people;
  if (!person || !peopleFound.active.has(id)) return { requestedAt, records, people, next: null };
  const named = { usernamesOf: async () => new Map([[id, person.username]]) };
  if (settings.parts) {
    const parts = await partsPage(api, submissionsPath(course, id), course, named, groupsOf);
    records.push(...parts.records);
  }
  if (settings.completion) {
    records.push(...(await completionOf(api, id, person.username, course)));
  }
  return { requestedAt, records, people, next: null };
}
