import { createChance } from "./platform-data.js";

/*
 * The data of a Canvas. The fake Canvas serves this data, and tests compare the database with it. Totals are computed
 * like in GradeCalculator (instructure/canvas-lms lib/grade_calculator.rb), but the assignments to drop are found by
 * trying all combinations.
 */

export interface Site {
  readonly courses: Map<string, SiteCourse>;
  readonly users: Map<string, SiteUser>;
}

export interface SiteUser {
  readonly id: string;
  login: string | undefined;
  sisId: string | null;
  name: string;
  email: string | null;
  locale?: string;
}

export interface SiteCourse {
  readonly id: string;
  name: string;
  code: string | null;
  state: "created" | "available" | "completed" | "deleted";
  isWeighted: boolean;
  /** Letter grades with their minimum shares, best first; "default" for those of Canvas. */
  scheme?: readonly (readonly [letter: string, least: number])[] | "default";
  /** Points added to totals, for effects that groups don't explain, such as weighted grading periods. */
  unexplained: number;
  groups: SiteGroup[];
  assignments: SiteAssignment[];
  enrolments: SiteEnrolment[];
  readonly submissions: Map<string, SiteSubmission>;
  readonly overrides: Map<string, number>;
  /** Totals as last computed. Canvas computes them some time after a change. */
  readonly computed: Map<string, number | null>;
  /** Number of requirements in modules; 0 if there are none. */
  requirements: number;
  /** Number of requirements in each unpublished module. */
  unpublished?: number[];
  readonly met: Map<string, number | "error">;
}

export interface SiteGroup {
  readonly id: string;
  name: string;
  weight: number;
  lowest: number;
  highest: number;
  never: string[];
}

export interface SiteAssignment {
  readonly id: string;
  readonly groupId: string;
  possible: number | null;
  isPublished: boolean;
  isOmitted: boolean;
  isGraded: boolean;
  /** The section that has the assignment; undefined for all sections. */
  section: string | undefined;
}

export interface SiteEnrolment {
  readonly userId: string;
  readonly section: string;
  readonly type: "StudentEnrollment" | "TeacherEnrollment" | "StudentViewEnrollment";
  state: "active" | "completed" | "inactive" | "invited" | "deleted";
}

export interface SiteSubmission {
  score: number | null;
  isPosted: boolean;
  isExcused: boolean;
}

/** The id of the first course. It is too large to be represented exactly by a JavaScript number. */
const FIRST_COURSE = 9_007_199_254_740_993n;

const ORGANISATION = "Uni";

export function createSite(size: {
  courses: number;
  learners: number;
  seed?: number;
  enrols?: boolean;
}): Site {
  const draw = createChance(size.seed ?? 1);
  const site: Site = { courses: new Map(), users: new Map() };
  for (let number = 1; number <= size.courses; number++) addCourse(site, number);
  const courses = [...site.courses.values()];
  for (let number = 1; number <= size.learners; number++) {
    const user = addSiteUser(site, number);
    for (let count = 0; count < (size.enrols === false ? 0 : 1 + draw(3)); count++) {
      const course = courses[draw(courses.length)];
      if (course && !course.enrolments.some(({ userId }) => userId === user.id))
        enrolIn(course, user.id, draw);
    }
  }
  for (const course of courses) compute(course);
  return site;
}

function addCourse(site: Site, number: number): SiteCourse {
  const id = String(FIRST_COURSE + BigInt(number));
  const group = (name: string, weight: number, lowest = 0): SiteGroup => {
    const groupId = `${number}${name.length}`;
    return { id: groupId, name, weight, lowest, highest: 0, never: [] };
  };
  const groups = [group("Homework", 40, number % 2), group("Exams", 60)];
  const course: SiteCourse = {
    id,
    name: number === 1 ? "R&D <Basics>" : `Course ${number}`,
    code: number === 2 ? "C 2/é" : `C${number}`,
    state: "available",
    isWeighted: number % 3 !== 0,
    unexplained: 0,
    groups,
    assignments: [1, 2, 3, 4].map((each) => ({
      id: `${id}${each}`,
      groupId: groups[each === 4 ? 1 : 0]?.id ?? "",
      possible: each === 4 ? 50 : 10,
      isPublished: true,
      isOmitted: false,
      isGraded: true,
      section: undefined,
    })),
    enrolments: [],
    submissions: new Map(),
    overrides: new Map(),
    computed: new Map(),
    requirements: 10,
    met: new Map(),
  };
  site.courses.set(id, course);
  return course;
}

export function addSiteUser(site: Site, number: number): SiteUser {
  const login = `learner${number}`;
  const user = {
    id: String(100 + number),
    login,
    sisId: number % 3 === 0 ? null : `S${number}`,
    name: `Zdenka${number} Qvortrup`,
    email: number % 7 === 0 ? null : `${login}@secretmail.test`,
  };
  site.users.set(user.id, user);
  return user;
}

export function enrolIn(course: SiteCourse, userId: string, draw: (below: number) => number): void {
  const states = ["active", "active", "active", "completed", "inactive"] as const;
  const enrolment = { userId, section: `${1 + draw(2)}`, type: "StudentEnrollment" as const };
  course.enrolments.push({ ...enrolment, state: states[draw(5)] ?? "active" });
  for (const { id, possible } of course.assignments) {
    if (draw(4) > 0) course.submissions.set(`${userId} ${id}`, grade(draw((possible ?? 0) * 2 + 1) / 2));
  }
  course.met.set(userId, draw(course.requirements + 1));
}

export function grade(score: number | null, more: Partial<SiteSubmission> = {}): SiteSubmission {
  return { score, isPosted: true, isExcused: false, ...more };
}

/** Computes the totals of a course, as Canvas does some time after a change. */
export function compute(course: SiteCourse): void {
  for (const { userId } of course.enrolments) course.computed.set(userId, finalScore(course, userId));
}

export function learnersOf(course: SiteCourse): string[] {
  const rows = course.enrolments.filter(({ type }) => type === "StudentEnrollment");
  return [...new Set(rows.map(({ userId }) => userId))];
}

function rowsOf(course: SiteCourse, userId: string): SiteEnrolment[] {
  return allRowsOf(course, userId).filter(({ type }) => type === "StudentEnrollment");
}

/** Enrolments by user. Valid as long as no enrolment is added or removed. */
const indexes = new WeakMap<
  SiteCourse,
  { readonly of: number; readonly rows: Map<string, SiteEnrolment[]> }
>();

export function allRowsOf(course: SiteCourse, userId: string): readonly SiteEnrolment[] {
  const { length } = course.enrolments;
  let index = indexes.get(course);
  if (index?.of !== length) {
    index = { of: length, rows: new Map() };
    for (const row of course.enrolments)
      index.rows.set(row.userId, [...(index.rows.get(row.userId) ?? []), row]);
    indexes.set(course, index);
  }
  return index.rows.get(userId) ?? [];
}

/** Returns the assignments for which Canvas has a submission of the learner. */
export function assigned(course: SiteCourse, userId: string): SiteAssignment[] {
  const sections = rowsOf(course, userId)
    .filter(({ state }) => state !== "deleted")
    .map(({ section }) => section);
  return course.assignments.filter(
    ({ isPublished, section }) => isPublished && (section === undefined || sections.includes(section)),
  );
}

interface Counted {
  readonly id: string;
  readonly score: number;
  readonly possible: number;
}

/** Returns the points of a learner in a group, after applying the group's rules. The connector must not report more. */
export function groupPoints(course: SiteCourse, userId: string, group: SiteGroup) {
  const isConcluded = rowsOf(course, userId)
    .filter(({ state }) => state === "active" || state === "completed")
    .every(({ state }) => state === "completed");
  const counted = assigned(course, userId)
    .filter(({ groupId, isGraded, isOmitted }) => groupId === group.id && isGraded && !isOmitted)
    .flatMap(({ id, possible }): Counted[] => {
      const own = course.submissions.get(`${userId} ${id}`);
      const posted = own?.isPosted ? own : undefined;
      if (posted ? posted.isExcused : isConcluded) return [];
      return [{ id, score: posted?.score ?? 0, possible: possible ?? 0 }];
    });
  const stored = dropped(counted, group);
  return { earned: sum(stored, "score"), possible: sum(stored, "possible") };
}

function sum(some: readonly Counted[], what: "score" | "possible"): number {
  return some.reduce((all, one) => all + one[what], 0);
}

/** Tries every combination. Groups in the tests have at most eight assignments. */
function dropped(all: readonly Counted[], { lowest, highest, never }: SiteGroup): readonly Counted[] {
  const fixed = all.filter(({ id }) => never.includes(id));
  const free = all.filter(({ id }) => !never.includes(id));
  if ((lowest === 0 && highest === 0) || free.length === 0) return all;
  const low = Math.min(lowest, free.length - 1);
  const high = low + highest >= free.length ? 0 : highest;
  const share = (some: readonly Counted[]) =>
    sum([...some, ...fixed], "score") / (sum([...some, ...fixed], "possible") || 1);
  const best = choices(free, free.length - low).sort((a, b) => share(b) - share(a))[0] ?? [];
  const worst = choices(best, best.length - high).sort((a, b) => share(a) - share(b))[0] ?? [];
  return [...worst, ...fixed];
}

function choices<T>(some: readonly T[], count: number): T[][] {
  if (count === 0) return [[]];
  return some.flatMap((one, index) =>
    choices(some.slice(index + 1), count - 1).map((others) => [one, ...others]),
  );
}

function finalScore(course: SiteCourse, userId: string): number | null {
  const sums = course.groups.map((group) => ({ ...groupPoints(course, userId, group), ...group }));
  const relevant = sums.filter(({ possible }) => possible > 0);
  const all = (of: (one: (typeof sums)[number]) => number) =>
    relevant.reduce((total, one) => total + of(one), 0);
  const weights = all(({ weight }) => weight);
  const possible = all((one) => one.possible);
  const bonus = sums.reduce((total, { earned }) => total + earned, 0);
  let total = possible === 0 ? null : (100 * bonus) / possible;
  if (course.isWeighted) {
    const weighted = all((one) => (one.earned / one.possible) * one.weight);
    total = weights === 0 ? null : weights < 100 ? (weighted * 100) / weights : weighted;
  }
  return total === null ? null : Math.round((total + course.unexplained) * 100) / 100;
}

/** Returns the total that Canvas shows; null if there is none. */
export function shownTotal(course: SiteCourse, userId: string): number | null {
  return course.overrides.get(userId) ?? course.computed.get(userId) ?? null;
}

/** The default grading scheme: app/controllers/grading_standards_api_controller.rb, 05a534f5. */
const DEFAULT_SCHEME = [
  ["A", 94],
  ["A-", 90],
  ["B+", 87],
  ["B", 84],
  ["B-", 80],
  ["C+", 77],
  ["C", 74],
  ["C-", 70],
  ["D+", 67],
  ["D", 64],
  ["D-", 61],
  ["F", 0],
] as const;

export function schemeOf({ scheme }: SiteCourse): readonly (readonly [letter: string, least: number])[] {
  return scheme === "default"
    ? DEFAULT_SCHEME.map(([letter, least]) => [letter, least / 100])
    : (scheme ?? []);
}

/** Returns the letter grade of a total; null without a total or a scheme. */
export function letterOf(course: SiteCourse, total: number | null): string | null {
  if (total === null) return null;
  return schemeOf(course).find(([, least]) => total / 100 >= least)?.[0] ?? null;
}

export function isActiveIn(course: SiteCourse, userId: string): boolean {
  return rowsOf(course, userId).some(({ state }) => state === "active" || state === "completed");
}

/** Returns whether the learner is listed. Learners whose enrolments are all invited or deleted are not listed. */
function isListedIn(course: SiteCourse, userId: string): boolean {
  return rowsOf(course, userId).some(({ state }) => ["active", "completed", "inactive"].includes(state));
}

/** Returns whether Canvas reports the learner's progress. It does so only for active and invited learners. */
export function reportsProgress(course: SiteCourse, userId: string): boolean {
  return rowsOf(course, userId).some(({ state }) => state === "active" || state === "invited");
}

export function keyOf({ id, code }: SiteCourse): string {
  return `course-v1:${ORGANISATION}+${code === null ? "_" : code.replace(/[ /]+/g, "_")}+${id}`;
}

/** Returns what the database must contain for a site, in the form of `known`. */
export function siteLines(site: Site, { completion = true, parts = true } = {}): string[] {
  const lines: string[] = [];
  const reported = new Set<string>();
  const courses = [...site.courses.values()].filter(
    ({ state }) => state === "available" || state === "completed",
  );
  for (const course of courses) {
    const key = keyOf(course);
    const types = course.groups.map(({ name }) => `${name.toLowerCase()}=0`);
    lines.push(`course ${key} ${course.name} ${["course total=1", ...(parts ? types : [])].join(",")}`);
    for (const userId of learnersOf(course)) {
      const login = site.users.get(userId)?.login;
      if (!isListedIn(course, userId) || login === undefined) continue;
      reported.add(userId);
      const isActive = isActiveIn(course, userId);
      lines.push(`enrolment ${key} ${login} ${isActive}`);
      if (!isActive) continue;
      const total = shownTotal(course, userId);
      const capped = Math.min(100, Math.max(0, total ?? 0));
      const points = total === null ? "0/0" : `${capped}/100`;
      lines.push(`grade ${key} ${login} course-total course total ${points}`);
      const letter = letterOf(course, total);
      lines.push(`total ${key} ${login} ${Math.round(capped * 100) / 10_000} unsaid${letter ?? ""}`);
      for (const group of parts ? course.groups : []) {
        const { earned, possible } = groupPoints(course, userId, group);
        const usage = `assignment-group-${group.id} ${group.name.toLowerCase()}`;
        lines.push(`grade ${key} ${login} ${usage} ${Math.min(earned, possible)}/${possible}`);
      }
      const met = course.met.get(userId) ?? 0;
      if (completion && course.requirements > 0 && reportsProgress(course, userId) && met !== "error")
        lines.push(`completion ${key} ${login} ${met / course.requirements}`);
    }
  }
  for (const userId of reported) {
    const user = site.users.get(userId);
    lines.push(`learner ${user?.login} ${user?.email ?? ""} ${user?.name} true`);
  }
  return lines.sort();
}
