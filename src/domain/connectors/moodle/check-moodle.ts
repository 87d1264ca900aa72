import { counted } from "#foundation/text/counted.js";
import type { CheckResult, RecordPage, Scope } from "../driver/driver.js";
import { PullError } from "../driver/pull-error.js";
import { tryRead } from "../driver/try-read.js";
import type { MoodleAccount } from "./moodle-account.js";
import { EMAIL_CAPABILITY, type MoodleApi, type MoodleFunction, REQUIRED_FUNCTIONS } from "./moodle-api.js";
import type { ReadProgress } from "./moodle-completion.js";
import { enrolmentsPage, listUsers } from "./moodle-enrolments.js";
import { readItems } from "./moodle-grades.js";
import type { ActiveIds } from "./moodle-learners.js";
import type { MoodleSettings } from "./moodle-settings.js";

/** Maximum number of courses to try until one of them has learners. */
const MAX_COURSES_TRIED = 10;

interface Parts {
  readonly api: MoodleApi;
  readonly account: MoodleAccount;
  readonly activeIds: ActiveIds;
  readonly readProgress: ReadProgress;
  readonly settings: MoodleSettings;
}

/** Tries each function as a sweep uses it, and checks the capabilities of the service user. */
export async function* checkMoodle(
  parts: Parts,
  listCourses: () => Promise<RecordPage>,
): AsyncGenerator<CheckResult> {
  const { settings, account } = parts;
  const used = REQUIRED_FUNCTIONS.filter(({ only }: MoodleFunction) => !only || settings[only]);
  yield await tryRead("service", async () => {
    const { release, functions } = await account.site();
    const present = new Set(functions.map(({ name }) => name));
    const missing = used.filter(({ name }) => !present.has(name)).map(({ name }) => name);
    if (missing.length === 0) return `Moodle ${release}: the service has each function`;
    throw new PullError(
      "forbidden",
      `The external service in Moodle lacks functions. Add ${missing.join(", ")}.`,
    );
  });
  const needed = [...new Set(used.flatMap(({ needs }) => needs))];
  const notGranted = new Set<string>();
  yield await tryRead("capabilities", async () => {
    for (const name of await account.lacks([...needed, EMAIL_CAPABILITY])) notGranted.add(name);
    const missing = needed.filter((name) => notGranted.has(name));
    if (missing.length === 0) return `the user has all ${needed.length} for the whole site`;
    throw new PullError(
      "forbidden",
      `The user lacks capabilities for the whole site. Add them to the user's system role: ${missing.join(", ")}.`,
    );
  });
  const isAdmin = await account.site().then(
    ({ userissiteadmin }) => userissiteadmin,
    () => false,
  );
  if (isAdmin) {
    const text =
      "The user is a site administrator, so a stolen token could do everything. Use a separate account for the service.";
    yield { what: "account", outcome: "warning", text };
  }
  const found: { courses: readonly Scope[] } = { courses: [] };
  const first = await tryRead("courses", async () => {
    const { contexts = [] } = await listCourses();
    found.courses = contexts;
    return `${contexts.length} courses`;
  });
  yield first;
  if (first.outcome === "failed") return;
  yield* checkCourse(parts, found.courses, notGranted.has(EMAIL_CAPABILITY));
}

async function* checkCourse(
  parts: Parts,
  courses: readonly Scope[],
  lacksAddresses: boolean,
): AsyncGenerator<CheckResult> {
  const { api, activeIds, settings } = parts;
  let course: Scope | undefined;
  let learner: string | undefined;
  const enrolments = await tryRead("enrolments", async () => {
    for (const one of courses.slice(0, MAX_COURSES_TRIED)) {
      const page = await enrolmentsPage(parts, null, one);
      const active = new Set((page.people?.length ?? 0) > 0 ? await activeIds(one) : []);
      learner = page.people?.find(({ externalId }) => active.has(Number(externalId)))?.externalId;
      if (learner === undefined) continue;
      course = one;
      return `${page.people?.length} learners on the first page of one course`;
    }
    return "the first courses have no active learners, so grades and completion were not tested";
  });
  yield enrolments.outcome === "ok" && !course ? { ...enrolments, outcome: "warning" } : enrolments;
  if (!course || learner === undefined) return;
  const [scope, userid] = [course, learner];
  const { value: people } = await listUsers(api, scope, 0);
  const withoutAddress = people.filter(({ email }) => email === undefined).length;
  if (withoutAddress > 0 || lacksAddresses) {
    yield {
      what: "addresses",
      outcome: "warning",
      text:
        `Moodle returns no email address for ${counted(withoutAddress, "learner")} on that page; stored addresses are kept. The user needs ${EMAIL_CAPABILITY}, and ` +
        "moodle/course:viewhiddenuserfields if the site hides email addresses.",
    };
  }
  if (people.some(({ lastname }) => lastname === undefined)) {
    yield {
      what: "names",
      outcome: "warning",
      text:
        "The site's Full name format omits last names, so credentials would omit them, too. Give the user " +
        "moodle/site:viewfullnames, and add the last name to Alternative full name format.",
    };
  }
  yield await tryRead("grades", async () => {
    await readItems(api, scope, userid);
    return "the grades of one learner can be read";
  });
  if (settings.completion) {
    yield await tryRead("completion", async () => {
      await parts.readProgress(scope, userid);
      return "the progress of one learner can be read";
    });
  }
}
