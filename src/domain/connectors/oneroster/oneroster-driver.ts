import { counted } from "#foundation/text/counted.js";
import type { PlainRecord } from "../../learners/plain-record.js";
import { checkClock } from "../driver/check-clock.js";
import { keyedCourses } from "../driver/course-keys.js";
import type { CheckResult, ConnectorDriver, Lookups, RecordPage, Scope, Source } from "../driver/driver.js";
import { leftOut } from "../driver/left-out.js";
import { PullError } from "../driver/pull-error.js";
import { tryRead } from "../driver/try-read.js";
import { createOneRosterApi, type OneRosterApi } from "./oneroster-api.js";
import { createReadClass, type ReadClass } from "./oneroster-classes.js";
import { gradingPage, hasFinal, resultsPage } from "./oneroster-grades.js";
import { type OneRosterSettings, oneRosterSettings } from "./oneroster-settings.js";
import { classes, isActiveRow, students } from "./oneroster-shapes.js";

export const oneRoster: ConnectorDriver = {
  name: "oneroster",
  summary: "OneRoster 1.1 and 1.2: classes, students, enrolments, a final grade, categories.",
  settings: oneRosterSettings,
  open(rawSettings, http): Source {
    const settings = rawSettings as OneRosterSettings;
    const api = createOneRosterApi(settings, http);
    const readClass = createReadClass(api);
    return {
      stages: [
        {
          name: "classes",
          each: "sweep",
          page: (cursor, _, lookups) => classesPage(api, settings, cursor, lookups),
        },
        {
          name: "grading",
          each: "course",
          page: (_, scope) => gradingPage(api, settings, readClass, scope),
        },
        {
          name: "students",
          each: "course",
          page: (cursor, scope) => studentsPage(api, settings, cursor, scope),
        },
        {
          name: "enrolments",
          each: "course",
          listsEnrollments: true,
          page: (_, scope, lookups) => enrollmentsPage(readClass, scope, lookups),
        },
        {
          name: "results",
          each: "course",
          page: (_, scope, lookups) => resultsPage(api, settings, readClass, scope, lookups),
        },
      ],
      check: () => check(api, settings, readClass),
    };
  },
};

async function classesPage(
  api: OneRosterApi,
  { organisation }: OneRosterSettings,
  cursor: string | null,
  lookups: Pick<Lookups, "keysOf">,
): Promise<RecordPage & { readonly date: Date | undefined }> {
  const { rows, sentAt, date, next } = await api.page("roster", "classes", cursor ?? "/classes", classes);
  const named = rows.filter(isActiveRow).map(({ sourcedId, title, classCode }) => ({
    id: sourcedId,
    shortName: classCode || title,
    displayName: title || classCode || sourcedId,
  }));
  // Keys of courses allow fewer characters than ids.
  const usable = named.filter(({ id }) => /^[\p{L}\p{N}_\-~.:]{1,100}$/u.test(id));
  const contexts = await keyedCourses(usable, organisation, lookups);
  const unusableCount = named.length - usable.length;
  return {
    requestedAt: sentAt,
    records: [],
    next,
    contexts,
    date,
    ...leftOut({ "class whose id fits no key": unusableCount }),
  };
}

interface StudentsPage extends RecordPage {
  readonly listed: number;
}

async function studentsPage(
  api: OneRosterApi,
  { usernames }: OneRosterSettings,
  cursor: string | null,
  { externalId }: Scope,
): Promise<StudentsPage> {
  const path = cursor ?? `/classes/${encodeURIComponent(externalId)}/students`;
  const { rows, sentAt, next } = await api.page("roster", "students", path, students);
  const named = rows
    .map((user) => ({ ...user, name: user[usernames] ?? "" }))
    .filter(({ name }) => name !== "");
  if (rows.length > 0 && named.length === 0)
    throw new PullError(
      "forbidden",
      `students: no student has the field ${usernames}. Choose another field in the option "usernames", or ask the provider to send this one.`,
    );
  return {
    requestedAt: sentAt,
    next,
    people: named.map(({ sourcedId, name }) => ({ externalId: sourcedId, username: name })),
    records: named.map(
      (user): PlainRecord => ({
        kind: "learner",
        username: user.name,
        fullName: [
          user.preferredGivenName || user.preferredFirstName || user.givenName,
          user.preferredFamilyName || user.preferredLastName || user.familyName,
        ]
          .filter((part) => part !== "")
          .join(" "),
        learnerId: user.identifier,
        isActive: user.enabledUser && isActiveRow(user),
        ...(user.email !== undefined && { email: user.email ?? "" }),
      }),
    ),
    listed: rows.length,
    ...leftOut({ [`account without ${usernames}`]: rows.length - named.length }),
  };
}

async function enrollmentsPage(
  readClass: ReadClass,
  scope: Scope,
  lookups: Pick<Lookups, "usernamesOf">,
): Promise<RecordPage> {
  const { requestedAt, takingPart } = await (await readClass(scope)).students();
  const names = await lookups.usernamesOf([...takingPart.keys()]);
  const records = [...takingPart].flatMap(([id, isActive]): PlainRecord[] => {
    const username = names.get(id);
    return username === undefined
      ? []
      : [{ kind: "enrollment", username, learningContextKey: scope.contextKey, isActive }];
  });
  const unknown = takingPart.size - records.length;
  return {
    requestedAt,
    next: null,
    records,
    ...leftOut({ "enrolment of an account that is not listed": unknown }),
  };
}

/** Maximum number of classes to try until one of them has students. */
const MAX_CLASSES_TRIED = 5;

/** Tries each endpoint that a sweep uses, on one class. */
async function* check(
  api: OneRosterApi,
  settings: OneRosterSettings,
  readClass: ReadClass,
): AsyncGenerator<CheckResult> {
  const found: { courses: readonly Scope[]; date?: Date | undefined } = { courses: [] };
  const first = await tryRead("classes", async () => {
    const page = await classesPage(api, settings, null, { keysOf: async () => new Map() });
    Object.assign(found, { courses: page.contexts ?? [], date: page.date });
    return `${found.courses.length} on the first page`;
  });
  yield first;
  if (first.outcome === "failed") return;
  yield checkClock(found.date);
  let course: Scope | undefined;
  let records: readonly PlainRecord[] = [];
  yield await tryRead("students", async () => {
    for (const one of found.courses.slice(0, MAX_CLASSES_TRIED)) {
      const page = await studentsPage(api, settings, null, one);
      [course, records] = [one, page.records];
      if (page.listed > 0) return `${page.listed} on the first page of ${one.contextKey}`;
    }
    return "the first classes have no students";
  });
  if (!course) return;
  const scope = course;
  const withoutAddress = records.filter((one) => one.kind === "learner" && !one.email).length;
  if (withoutAddress > 0) {
    const text = `The provider returns no email address for ${counted(withoutAddress, "learner")} on that page, so they get no email: ask it to include addresses.`;
    yield { what: "addresses", outcome: "warning", text };
  }
  yield await tryRead("terms and enrolments", async () => {
    const { students: readStudents, endsOn } = await readClass(scope);
    const { takingPart } = await readStudents();
    return `${takingPart.size} enrolments as a student; the class ends ${endsOn ?? "on an unknown day"}`;
  });
  if (settings.final_line_item === undefined && !settings.categories) {
    const text = "Neither final_line_item nor categories is set: classes have no grades.";
    yield { what: "grades", outcome: "warning", text };
    return;
  }
  let isFinalMissing = false;
  yield await tryRead("line items, categories and results", async () => {
    const { withheld } = await gradingPage(api, settings, readClass, scope);
    const tried = found.courses.slice(0, MAX_CLASSES_TRIED);
    isFinalMissing = settings.final_line_item !== undefined && !(await hasFinal(api, settings, tried));
    await resultsPage(api, settings, readClass, scope, { usernamesOf: async () => new Map() });
    return withheld === undefined ? "can be read" : `can be read; not known yet: ${withheld}`;
  });
  if (isFinalMissing) {
    const title = JSON.stringify(settings.final_line_item);
    const text = `None of the first classes has a line item with the title ${title}. Check the spelling of final_line_item.`;
    yield { what: "final grade", outcome: "warning", text };
  }
}
