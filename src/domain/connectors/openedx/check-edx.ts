import { today } from "#foundation/calendar/day.js";
import { coursePattern } from "../../learners/learning-context-key.js";
import { checkClock } from "../driver/check-clock.js";
import type { CheckResult } from "../driver/driver.js";
import { PullError } from "../driver/pull-error.js";
import { tryRead } from "../driver/try-read.js";
import { readLanguage } from "./edx-accounts.js";
import type { EdxApi } from "./edx-api.js";
import {
  completionPath,
  courseGradesPath,
  coursesPath,
  enrollmentsPath,
  gradebookPath,
  gradingInfoPath,
  releasesPath,
  subsectionPath,
} from "./edx-paths.js";
import { unreleasedIn } from "./edx-releases.js";
import type { EdxSettings } from "./edx-settings.js";
import {
  accounts,
  completions,
  courseGrades,
  courseGradesOfOne,
  courseList,
  enrollments,
  gradebook,
  gradebookEntry,
  gradingInfo,
  learningPaths,
  releases,
  retirements,
  subsectionGrade,
} from "./edx-shapes.js";
import { checkStreams } from "./events/check-streams.js";

const REMEDIES = {
  missing: "The endpoint or its plug-in is missing: check base_url, or turn off the setting that needs it.",
};
const attempt = (what: string, work: () => Promise<string>) => tryRead(what, work, REMEDIES);

/**
 * Tries each endpoint on one course, and checks the event bus. Sends every kind of request that a sweep or an event
 * causes.
 */
export async function* checkEdx(api: EdxApi, settings: EdxSettings): AsyncGenerator<CheckResult> {
  yield* checkEndpoints(api, settings);
  if (settings.events) yield* checkStreams(settings.events);
}

async function* checkEndpoints(api: EdxApi, settings: EdxSettings): AsyncGenerator<CheckResult> {
  const found: { key?: string | undefined; date?: Date | undefined } = {};
  const courses = await attempt("courses", async () => {
    const { value, date } = await api.get("courses", coursesPath(settings.username), courseList);
    const keys = value.results.map(({ course_id, id }) => course_id ?? id ?? "");
    const usable = keys.filter((key) => coursePattern.test(key));
    const others = keys.length - usable.length;
    Object.assign(found, { key: usable[0], date });
    return `${keys.length} on the first page${others > 0 ? `; ${others} have keys in another format, and are skipped` : ""}`;
  });
  yield courses;
  if (courses.outcome === "failed") return;
  yield checkClock(found.date);
  yield await attempt("account of the service user", async () => {
    const path = `/api/user/v1/accounts?username=${encodeURIComponent(settings.username)}`;
    const { value } = await api.get("accounts", path, accounts);
    if (!value[0]?.email)
      throw new PullError(
        "forbidden",
        "accounts: the LMS returns no email addresses. The user must be staff.",
      );
    return "accounts can be read";
  });
  yield asWarning(
    await attempt("retirements", async () => {
      const day = today();
      const path = `/api/user/v1/accounts/retirements_by_status_and_date/?start_date=${day}&end_date=${day}&state=COMPLETE`;
      await api.get("retirements", path, retirements);
      return "retirements can be listed";
    }),
    "The user must be the RETIREMENT_SERVICE_WORKER_USERNAME of the LMS, or a superuser.",
  );
  if (settings.paths) {
    yield await attempt("learning paths", async () => {
      await api.get("learning-paths", "/api/learning_paths/v1/learning-paths/", learningPaths);
      return "the plug-in responds";
    });
  }
  if (found.key === undefined) {
    yield {
      what: "a course",
      outcome: "warning",
      text: "There is no course, so grades and enrolments were not tested.",
    };
    return;
  }
  yield* checkCourse(api, settings, found.key);
}

async function* checkCourse(api: EdxApi, settings: EdxSettings, key: string): AsyncGenerator<CheckResult> {
  const scope = { contextKey: key, externalId: key, displayName: "" };
  const policy: { dropped?: string[]; subsection?: string | undefined } = {};
  yield await attempt("grading policy", async () => {
    const { value } = await api.get("grading-info", gradingInfoPath(scope), gradingInfo);
    policy.dropped = Object.values(value.assignment_types)
      .filter(({ drop_count }) => drop_count > 0)
      .map(({ type }) => type);
    policy.subsection = value.subsections[0]?.module_id;
    return `${value.subsections.length} graded subsections in ${key}`;
  });
  if (policy.dropped?.length) {
    yield {
      what: "grading policy",
      outcome: "warning",
      text:
        `${key} drops lowest scores in ${policy.dropped.join(", ")}: our sum differs from the LMS's total. ` +
        "Set use_platform_total in its credentials.",
    };
  }
  const learner: { username?: string; id?: number } = {};
  yield await attempt("gradebook", async () => {
    const { value } = await api.get("gradebook", gradebookPath(scope, "page_size=1"), gradebook);
    const [row] = value.results.sound;
    if (row) Object.assign(learner, { username: row.username, id: row.user_id });
    return "grades can be read";
  });
  yield await attempt("course grades", async () => {
    await api.get("course-grades", courseGradesPath(scope, "page_size=1"), courseGrades);
    return "passed courses and letter grades can be read";
  });
  yield await attempt("enrolments", async () => {
    await api.get("enrollments", enrollmentsPath(scope, "page_size=1"), enrollments);
    return "enrolments can be listed";
  });
  if (settings.completion === "aggregator") {
    yield await attempt("completion", async () => {
      await api.get("completion-aggregator", completionPath(scope, "page_size=1"), completions);
      return "the plug-in responds";
    });
    yield await attempt("releases", async () => {
      const { value } = await api.get("blocks", releasesPath(scope), releases);
      if (value.length > 0 && value.every(({ start }) => !start))
        throw new PullError("invalid", "blocks: the LMS does not say when sections are released.");
      return (await unreleasedIn(api, scope)) || `everything in ${key} is released`;
    });
  }
  const { username, id } = learner;
  if (username === undefined || id === undefined) return;
  const of = `username=${encodeURIComponent(username)}`;
  yield await attempt("one learner", async () => {
    await api.get("accounts", `/api/user/v1/accounts?lms_user_id=${id}`, accounts);
    await api.get("enrollments", enrollmentsPath(scope, of), enrollments);
    await api.get("gradebook", gradebookPath(scope, of), gradebookEntry);
    await api.get("course-grades", courseGradesPath(scope, of), courseGradesOfOne);
    if (settings.languages) await readLanguage(api, username);
    if (settings.completion === "aggregator")
      await api.get("completion-aggregator", completionPath(scope, of), completions);
    return "a single learner can be read again, as after an event";
  });
  const { subsection } = policy;
  if (subsection === undefined) return;
  yield await attempt("points of a subsection", async () => {
    const { value } = await api.get("subsection", subsectionPath(subsection, id), subsectionGrade);
    return value.success
      ? "can be read"
      : "can be read; the first learner does not see the first subsection yet";
  });
}

function asWarning(result: CheckResult, remedy: string): CheckResult {
  if (result.outcome === "ok") return result;
  return { ...result, outcome: "warning", text: `${result.text} ${remedy}` };
}
