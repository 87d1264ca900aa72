import type { z } from "zod";
import type { PlainRecord } from "../../learners/plain-record.js";
import type { Lookups, RecordPage, Scope, Subsection } from "../driver/driver.js";
import { PullError } from "../driver/pull-error.js";
import { isRetired } from "./edx-accounts.js";
import type { EdxApi } from "./edx-api.js";
import { gradebookPath, gradingInfoPath, subsectionPath } from "./edx-paths.js";
import {
  type courseGrade,
  gradebook,
  type gradebookEntry,
  gradingInfo,
  subsectionGrade,
} from "./edx-shapes.js";

const POINTS_SAMPLE = 3;

type Row = z.output<typeof gradebookEntry>;

/** The parts of a grading policy that the service uses. */
interface EdxGradingPolicy {
  readonly requestedAt: Date;
  readonly assignmentTypes: readonly { readonly assignmentType: string; readonly weight: number }[];
  /** Letter grades, best first. */
  readonly letterGrades: readonly string[];
  readonly subsections: readonly Omit<Subsection, "possible">[];
  /** Assignment types with fewer subsections than the policy requires, each with a description of what is missing. */
  readonly unfinished: ReadonlyMap<string, string>;
}

/** Reads grading policies, and caches them for the lifetime of this process. */
export function createPolicies(api: EdxApi) {
  const policies = new Map<string, EdxGradingPolicy>();
  return {
    async read(scope: Scope): Promise<EdxGradingPolicy> {
      const policy = await readPolicy(api, scope);
      policies.set(scope.contextKey, policy);
      return policy;
    },
    async of(scope: Scope): Promise<EdxGradingPolicy> {
      return policies.get(scope.contextKey) ?? this.read(scope);
    },
  };
}

export type Policies = ReturnType<typeof createPolicies>;

/**
 * Number of learners whose subsections are read from the gradebook. A single learner might have no computable grade.
 */
const SUBSECTIONS_SAMPLE = 5;

async function readPolicy(api: EdxApi, scope: Scope): Promise<EdxGradingPolicy> {
  const { value, sentAt } = await api.get("grading-info", gradingInfoPath(scope), gradingInfo);
  const { assignment_types, grade_cutoffs } = value;
  const listed = value.subsections.flatMap(({ module_id, graded, assignment_type }) =>
    graded && assignment_type ? [{ usageKey: module_id, assignmentType: assignment_type }] : [],
  );
  const subsections = [...listed, ...(await leftOutOf(api, scope, listed))];
  return {
    requestedAt: sentAt,
    assignmentTypes: Object.values(assignment_types).map(({ type, weight }) => ({
      assignmentType: type,
      weight,
    })),
    letterGrades: Object.entries(grade_cutoffs)
      .sort(([, one], [, other]) => other - one)
      .map(([letter]) => letter),
    subsections,
    unfinished: unfinishedIn(value, subsections),
  };
}

/**
 * Returns graded subsections that the policy does not list because they are hidden from the course outline. Learners
 * can open these subsections by link, and the total includes them.
 */
async function leftOutOf(
  api: EdxApi,
  scope: Scope,
  listed: EdxGradingPolicy["subsections"],
): Promise<EdxGradingPolicy["subsections"]> {
  const path = gradebookPath(scope, `page_size=${SUBSECTIONS_SAMPLE}`);
  const { value } = await api.get("gradebook", path, gradebook);
  const listedKeys = new Set(listed.map(({ usageKey }) => usageKey));
  const all = value.results.sound.flatMap(({ section_breakdown }) =>
    section_breakdown.map(({ module_id, category }) => [module_id, category ?? ""] as const),
  );
  return [...new Map(all)]
    .filter(([usageKey, assignmentType]) => assignmentType !== "" && !listedKeys.has(usageKey))
    .map(([usageKey, assignmentType]) => ({ usageKey, assignmentType }));
}

/**
 * Returns the assignment types that lack subsections. The LMS grades missing subsections as 0, but drops a number of
 * the lowest grades, so that number of subsections may be missing.
 */
function unfinishedIn(
  { assignment_types }: z.output<typeof gradingInfo>,
  subsections: EdxGradingPolicy["subsections"],
): EdxGradingPolicy["unfinished"] {
  const unfinished = new Map<string, string>();
  for (const { type, min_count, drop_count } of Object.values(assignment_types)) {
    const count = subsections.filter(({ assignmentType }) => assignmentType === type).length;
    if (count > 0 && count < min_count - drop_count)
      unfinished.set(type, `there are ${count} of ${min_count} subsections`);
  }
  return unfinished;
}

/**
 * Finds the possible points of subsections. For learners without an attempt, the gradebook shows 0 of 0. Therefore, its
 * pages are read until the points of all subsections are known. If nobody can see a subsection yet, its assignment type
 * is left out, because a grade without the subsection would be incomplete.
 */
export async function pointsPage(
  api: EdxApi,
  cursor: string | null,
  scope: Scope,
  lookups: Pick<Lookups, "subsectionsOf">,
  policies: Policies,
): Promise<RecordPage> {
  const subsections = await lookups.subsectionsOf(scope.contextKey);
  const possible = new Map(
    subsections.flatMap((one) => (one.possible === null ? [] : [[one.usageKey, one.possible] as const])),
  );
  const { unfinished } = await policies.of(scope);
  const { value, sentAt } = await api.get("gradebook", cursor ?? gradebookPath(scope), gradebook);
  const rows = value.results.sound.filter(({ username }) => !isRetired(username));
  for (const { usageKey } of subsections) {
    if (possible.has(usageKey)) continue;
    const points = attemptedIn(rows, usageKey) ?? (await readPossible(api, usageKey, rows));
    if (points !== undefined) possible.set(usageKey, points);
  }
  const isKnown = subsections.every(({ usageKey }) => possible.has(usageKey));
  const next = isKnown ? null : api.next(value.next);
  if (next !== null) return { requestedAt: sentAt, records: [], possible, next };
  const withheld = withheldTypes(subsections, possible, unfinished);
  return {
    requestedAt: sentAt,
    records: [],
    next,
    possible,
    ...(withheld.size > 0 && {
      subsections: subsections.filter(({ assignmentType }) => !withheld.has(assignmentType)),
      withheld: [...withheld].map(([type, reason]) => `${type}: ${reason}`).join("; "),
    }),
  };
}

function withheldTypes(
  subsections: readonly Subsection[],
  possible: ReadonlyMap<string, number>,
  unfinished: EdxGradingPolicy["unfinished"],
): ReadonlyMap<string, string> {
  const withheld = new Map(unfinished);
  for (const type of new Set(subsections.map(({ assignmentType }) => assignmentType))) {
    const own = subsections.filter(({ assignmentType }) => assignmentType === type);
    const hidden = own.filter(({ usageKey }) => !possible.has(usageKey)).length;
    if (hidden > 0)
      withheld.set(
        type,
        `none of the learners who were checked can see ${hidden} of ${own.length} subsections`,
      );
  }
  return withheld;
}

function attemptedIn(rows: readonly Row[], usageKey: string): number | undefined {
  const points = rows.flatMap(({ section_breakdown }) =>
    section_breakdown.flatMap(({ module_id, score_possible }) =>
      module_id === usageKey && score_possible > 0 ? [score_possible] : [],
    ),
  );
  return points.length > 0 ? Math.max(...points) : undefined;
}

async function readPossible(
  api: EdxApi,
  usageKey: string,
  rows: readonly Row[],
): Promise<number | undefined> {
  const step = Math.max(1, Math.floor(rows.length / POINTS_SAMPLE));
  const some = rows.filter((_, index) => index % step === 0).slice(0, POINTS_SAMPLE);
  for (const { user_id } of some) {
    const apiAnswer = await api
      .get("subsection", subsectionPath(usageKey, user_id), subsectionGrade)
      .catch((error) => {
        if (error instanceof PullError && error.fault === "missing") return undefined;
        throw error;
      });
    const { success, original_grade } = apiAnswer?.value ?? {};
    if (success && original_grade) return original_grade.possible_graded;
  }
  return undefined;
}

export async function gradeRecords(
  scope: Scope,
  rows: readonly Row[],
  lookups: Pick<Lookups, "subsectionsOf">,
): Promise<PlainRecord[]> {
  const { contextKey: courseKey } = scope;
  const subsections = await lookups.subsectionsOf(courseKey);
  const records: PlainRecord[] = [];
  for (const row of rows) {
    if (isRetired(row.username)) continue;
    const scores = new Map(row.section_breakdown.map((score) => [score.module_id, score]));
    for (const { usageKey, assignmentType, possible } of subsections) {
      const score = scores.get(usageKey);
      const isOwn = score !== undefined && score.score_possible > 0;
      if (!isOwn && possible === null) {
        throw new PullError("invalid", "gradebook: the points of a subsection are not known yet.");
      }
      records.push({
        kind: "subsectionGrade",
        username: row.username,
        courseKey,
        usageKey,
        assignmentType,
        earned: Math.max(0, score?.score_earned ?? 0),
        possible: isOwn ? score.score_possible : (possible ?? 0),
      });
    }
  }
  return records;
}

export function courseGradeRecords(
  { contextKey: courseKey }: Scope,
  rows: readonly z.output<typeof courseGrade>[],
): PlainRecord[] {
  return rows
    .filter(({ username }) => !isRetired(username))
    .map(({ username, percent, passed, letter_grade }) => ({
      kind: "courseGrade",
      username,
      courseKey,
      percent: Math.min(1, Math.max(0, percent)),
      // `passed` is null if nobody can pass, because the course has no cut-off above 0.
      ...(passed !== undefined && { passed: passed === true }),
      letter: letter_grade ?? "",
    }));
}
