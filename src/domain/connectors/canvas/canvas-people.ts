import type { z } from "zod";
import type { Person } from "../../learners/connector-people.js";
import type { PlainRecord } from "../../learners/plain-record.js";
import { totalRecords } from "../driver/course-total.js";
import type { RecordPage, Scope } from "../driver/driver.js";
import { leftOut } from "../driver/left-out.js";
import { localeOf } from "../driver/locale-of.js";
import { PullError } from "../driver/pull-error.js";
import { includesStripped } from "./assignment-groups.js";
import type { CanvasApi } from "./canvas-api.js";
import { endpoints } from "./canvas-endpoints.js";
import type { CanvasSettings } from "./canvas-settings.js";
import { users } from "./canvas-shapes.js";

type User = z.output<typeof users>[number];
type Enrolments = NonNullable<User["enrollments"]>;

/** A page with details for `check` and for reading one learner. */
export interface PeoplePage extends RecordPage {
  readonly people: readonly Person[];
  /** Number of learners on the page, with or without a username. */
  readonly listed: number;
  readonly active: ReadonlySet<string>;
}

const WITHOUT_NAME: Readonly<Record<CanvasSettings["usernames"], string>> = {
  login_id: "Canvas returns no login IDs. The role of the service's user needs “Users - view login IDs”.",
  sis_user_id: "Canvas returns no SIS IDs. The role of the service's user needs “SIS Data - read”.",
  id: "Canvas returns no IDs.",
};

/** Reads learners with their enrolments and Canvas's own totals. */
export async function peoplePage(
  api: CanvasApi,
  { usernames }: CanvasSettings,
  path: string,
  scope: Scope,
): Promise<PeoplePage> {
  const { value, sentAt, next } = await api.get(endpoints.users, path, users);
  const learners = value.map((user) => {
    if (!user.enrollments) throw includesStripped(endpoints.users.name);
    return { ...user, username: user[usernames] ?? "", rows: ofLearners(user.enrollments) };
  });
  const named = learners.filter(({ username }) => username !== "");
  if (learners.length > 0 && named.length === 0) {
    throw new PullError("forbidden", `${endpoints.users.name}: ${WITHOUT_NAME[usernames]}`);
  }
  const active = named.filter(({ rows }) => isActive(rows));
  const graded = active.flatMap(({ username, rows }) => {
    const total = totalOf(rows);
    return total === undefined ? [] : [{ username, ...total }];
  });
  if (active.length > 0 && graded.length === 0) {
    const text = `Canvas returns no grades. The role of the service's user needs ${endpoints.bulkProgress.needs}.`;
    throw new PullError("forbidden", `${endpoints.users.name}: ${text}`);
  }
  return {
    requestedAt: sentAt,
    next,
    records: [
      ...named.flatMap((learner) => accountRecords(learner, scope)),
      ...graded.flatMap(({ username, score, letter }) =>
        score === null
          ? totalRecords(username, scope, 0, 0)
          : totalRecords(username, scope, score, 100, { letter }),
      ),
    ],
    people: named.map(({ id, username }) => ({ externalId: id, username })),
    listed: learners.length,
    active: new Set(active.map(({ id }) => id)),
    ...leftOut({
      [`account without ${usernames}`]: learners.length - named.length,
      "learner whose grade Canvas does not report": active.length - graded.length,
    }),
  };
}

function accountRecords(
  { username, name, email, sis_user_id, locale, rows }: User & { username: string; rows: Enrolments },
  { contextKey }: Scope,
): PlainRecord[] {
  return [
    {
      kind: "learner",
      username,
      fullName: name ?? "",
      isActive: true,
      learnerId: sis_user_id ?? "",
      locale: localeOf(locale),
      ...(email !== undefined && { email: email ?? "" }),
    },
    { kind: "enrollment", username, learningContextKey: contextKey, isActive: isActive(rows) },
  ];
}

/** Leaves out enrolments of teachers and of the test student that a course may have. */
function ofLearners(rows: Enrolments): Enrolments {
  return rows.filter(({ type }) => type === "StudentEnrollment");
}

/**
 * Returns whether the enrolment in any section is active or concluded. Canvas concludes enrolments when the course
 * ends.
 */
function isActive(rows: Enrolments): boolean {
  return rows.some(({ enrollment_state }) => ["active", "completed"].includes(enrollment_state));
}

/** Canvas's own total in percent, and its letter grade (empty if there is none). */
interface Total {
  /** Null if no part of the total has points. */
  readonly score: number | null;
  readonly letter: string;
}

/**
 * Returns `undefined` if Canvas reports no total. An overridden score takes precedence. If a learner is in several
 * sections, the lowest total of the active enrolments is used, or of the concluded ones if none is active.
 */
function totalOf(rows: Enrolments): Total | undefined {
  const inState = (state: string) => rows.filter(({ enrollment_state }) => enrollment_state === state);
  const active = inState("active");
  const totals = (active.length > 0 ? active : inState("completed")).flatMap(({ grades }): Total[] => {
    const { final_score, final_grade, override_score, override_grade } = grades ?? {};
    if (final_score === undefined) return [];
    return typeof override_score === "number"
      ? [{ score: override_score, letter: override_grade ?? "" }]
      : [{ score: final_score, letter: final_grade ?? "" }];
  });
  if (totals.length === 0) return undefined;
  const [lowest] = totals
    .flatMap(({ score, letter }) => (score === null ? [] : [{ score, letter }]))
    .sort((one, other) => one.score - other.score);
  return lowest
    ? { score: Math.min(100, Math.max(0, lowest.score)), letter: lowest.letter }
    : { score: null, letter: "" };
}
