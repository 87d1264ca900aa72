import { counted } from "#foundation/text/counted.js";
import { checkClock } from "../driver/check-clock.js";
import type { CheckResult, Scope } from "../driver/driver.js";
import { PullError } from "../driver/pull-error.js";
import { tryRead } from "../driver/try-read.js";
import { readGroups } from "./assignment-groups.js";
import { type CanvasApi, NOT_MODULE_BASED } from "./canvas-api.js";
import { coursesPage } from "./canvas-courses.js";
import {
  bulkProgressPath,
  endpoints,
  ownPath,
  progressPath,
  submissionsPath,
  usersPath,
} from "./canvas-endpoints.js";
import { unpublishedIn } from "./canvas-modules.js";
import { partsPage } from "./canvas-parts.js";
import { type PeoplePage, peoplePage } from "./canvas-people.js";
import type { CanvasSettings } from "./canvas-settings.js";
import { bulkProgress, ownEnrolments, progress } from "./canvas-shapes.js";
import { checkScheme } from "./grading-schemes.js";

/** Maximum number of courses to try until one of them has learners. */
const MAX_COURSES_TRIED = 5;

/** Tries each endpoint on one course. Sends every kind of request that a sweep or the reading of one learner sends. */
export async function* checkCanvas(api: CanvasApi, settings: CanvasSettings): AsyncGenerator<CheckResult> {
  const found: { courses: readonly Scope[]; date?: Date | undefined } = { courses: [] };
  const first = await tryRead("courses", async () => {
    const page = await coursesPage(
      api,
      settings,
      null,
      { keysOf: async () => new Map() },
      { learn: () => {} },
    );
    Object.assign(found, { courses: page.contexts ?? [], date: page.date });
    return `${found.courses.length} published or concluded ones on the first page`;
  });
  yield first;
  if (first.outcome === "failed") return;
  yield checkClock(found.date);
  const at: { course?: Scope; people?: PeoplePage } = {};
  const enrolments = await tryRead("enrolments and totals", async () => {
    for (const course of found.courses.slice(0, MAX_COURSES_TRIED)) {
      if (at.people && at.people.listed > 0) break;
      at.people = await peoplePage(api, settings, usersPath(course), course);
      at.course = course;
    }
    return at.course && at.people
      ? `${at.people.active.size} of ${at.people.listed} learners on the first page of ${at.course.contextKey} take part`
      : "there is no course to test with";
  });
  yield enrolments;
  const { course, people } = at;
  if (enrolments.outcome === "failed") return;
  yield* checkOwnCourses(api);
  if (course) {
    const scheme = await tryRead("letter grades", () => checkScheme(api, course));
    yield scheme.outcome === "failed"
      ? {
          ...scheme,
          outcome: "warning",
          text: `${scheme.text} Until then, only exactly the required letter grade is accepted, not better ones.`,
        }
      : scheme;
  }
  if (!course || !people) return;
  const id = people.people[0]?.externalId;
  if (id === undefined) {
    const text = "The first courses have no learners, so requests about single learners were not tested.";
    yield { what: "a learner", outcome: "warning", text };
  } else {
    yield* checkPrivacy(people);
    yield await tryRead("one learner", async () => {
      await peoplePage(api, settings, usersPath(course, id), course);
      return "a single learner can be read again";
    });
  }
  if (settings.parts) yield* checkParts(api, course, [...people.active][0]);
  if (settings.completion) yield* checkCompletion(api, course, id);
}

/**
 * Warns if the service user is enrolled in courses, because Canvas may show only the user's own sections of these
 * courses.
 */
async function* checkOwnCourses(api: CanvasApi): AsyncGenerator<CheckResult> {
  const own = await tryRead("own courses", async () => {
    const { value } = await api.get(endpoints.own, ownPath(), ownEnrolments);
    return value.length === 0 ? "" : `${value[0]?.course_id}`;
  });
  if (own.outcome === "failed") {
    yield { ...own, outcome: "warning" };
    return;
  }
  yield own.text === ""
    ? { ...own, text: "the service's user is enrolled in none" }
    : {
        ...own,
        outcome: "warning",
        text: `The service's user is enrolled in courses, such as ${own.text}. There, Canvas may list only the learners in the user's own sections: end these enrolments.`,
      };
}

/** Reports data that Canvas omits without an error. */
function* checkPrivacy({ records }: PeoplePage): Generator<CheckResult> {
  const learners = records.filter((one) => one.kind === "learner");
  const withoutAddress = learners.filter(({ email }) => email === undefined).length;
  if (withoutAddress > 0) {
    yield {
      what: "addresses",
      outcome: "warning",
      text: `Canvas returns no email address for ${counted(withoutAddress, "learner")} on that page; stored addresses are kept. The role of the service's user needs “Users - view primary email address”.`,
    };
  }
  if (learners.every(({ learnerId }) => learnerId === "")) {
    yield {
      what: "SIS ids",
      outcome: "warning",
      text: "No learner on that page has an SIS ID. If your institution uses SIS IDs, the role of the service's user needs “SIS Data - read”.",
    };
  }
}

async function* checkParts(
  api: CanvasApi,
  course: Scope,
  learner: string | undefined,
): AsyncGenerator<CheckResult> {
  yield await tryRead("assignment groups", async () => {
    const { all, withheld } = await readGroups(api, course);
    return `${all.length} in one course${withheld === undefined ? "" : `; ${withheld}`}`;
  });
  yield await tryRead("submissions", async () => {
    const lookups = { usernamesOf: async () => new Map() };
    const groupsOf = () => readGroups(api, course);
    await partsPage(api, submissionsPath(course), course, lookups, groupsOf);
    if (learner !== undefined)
      await partsPage(api, submissionsPath(course, learner), course, lookups, groupsOf);
    return "can be read";
  });
}

async function* checkCompletion(
  api: CanvasApi,
  course: Scope,
  id: string | undefined,
): AsyncGenerator<CheckResult> {
  yield await tryRead(
    "modules",
    async () =>
      (await unpublishedIn(api, course)) || `all requirements in ${course.contextKey} are published`,
  );
  yield await tryRead("completion", async () => {
    try {
      await api.get(endpoints.bulkProgress, bulkProgressPath(course), bulkProgress);
      if (id !== undefined) await api.get(endpoints.progress, progressPath(course, id), progress);
      return "progress can be read";
    } catch (error) {
      if (error instanceof PullError && error.code === NOT_MODULE_BASED)
        return `progress can be read; ${course.contextKey} has no modules with requirements, and therefore no completion`;
      throw error;
    }
  });
}
