import type { z } from "zod";
import type { PlainRecord } from "../../learners/plain-record.js";
import type { Lookups, Page, Scope, Subsection } from "../driver/driver.js";
import { PullError } from "../driver/pull-error.js";
import { isRetired } from "./edx-accounts.js";
import type { EdxApi } from "./edx-api.js";
import { gradebookPath, gradingInfoPath, subsectionPath } from "./edx-paths.js";
import { gradebook, type gradebookEntry, gradingInfo, subsectionGrade } from "./edx-shapes.js";

/** Learners on each page of the gradebook who are asked for the points of a subsection. */
const ASKED_FOR_POINTS = 3;

type Row = z.output<typeof gradebookEntry>;

/** The grading policy of a course, as it counts here. */
export interface Policy {
  /** The share of the total at which the course is passed. */
  readonly passMark: number;
  /** Assignment types of which the policy demands more subsections than there are, and what it says. */
  readonly unfinished: ReadonlyMap<string, string>;
}

/** Remembers policies, for as long as this process runs: the gradebook does not say who has passed. */
export function createPolicies(api: EdxApi) {
  const policies = new Map<string, Policy>();
  return {
    learn({ contextKey }: Scope, info: z.output<typeof gradingInfo>): Policy {
      const cutoffs = Object.values(info.grade_cutoffs);
      const policy = {
        passMark: cutoffs.length === 0 ? Number.POSITIVE_INFINITY : Math.min(...cutoffs),
        unfinished: unfinishedIn(info),
      };
      policies.set(contextKey, policy);
      return policy;
    },
    async of(scope: Scope): Promise<Policy> {
      const known = policies.get(scope.contextKey);
      if (known) return known;
      const { value } = await api.get("grading-info", gradingInfoPath(scope), gradingInfo);
      return this.learn(scope, value);
    },
  };
}

export type Policies = ReturnType<typeof createPolicies>;

/** The LMS counts subsections that are still to come as 0, except the lowest ones, which it drops. */
function unfinishedIn({ assignment_types, subsections }: z.output<typeof gradingInfo>): Policy["unfinished"] {
  const unfinished = new Map<string, string>();
  for (const { type, min_count, drop_count } of Object.values(assignment_types)) {
    const count = subsections.filter(({ assignment_type }) => assignment_type === type).length;
    if (count > 0 && count < min_count - drop_count)
      unfinished.set(type, `there are ${count} of ${min_count} subsections`);
  }
  return unfinished;
}

/**
 * Learns how many points subsections have for those who have not attempted them: the gradebook says 0 of 0 then. It
 * reads the gradebook until all are known. If nobody can see a subsection yet, its assignment type is left out: a
 * grade on the others alone would be a partial fact.
 */
export async function pointsPage(
  api: EdxApi,
  cursor: string | null,
  scope: Scope,
  lookups: Pick<Lookups, "subsectionsOf">,
  policies: Policies,
): Promise<Page> {
  const subsections = await lookups.subsectionsOf(scope.contextKey);
  const possible = new Map(
    subsections.flatMap((one) => (one.possible === null ? [] : [[one.usageKey, one.possible] as const])),
  );
  const { unfinished } = await policies.of(scope);
  const { value, sentAt } = await api.get("gradebook", cursor ?? gradebookPath(scope), gradebook);
  const rows = value.results.sound.filter(({ username }) => !isRetired(username));
  for (const { usageKey } of subsections) {
    if (possible.has(usageKey)) continue;
    const points = attemptedIn(rows, usageKey) ?? (await askedFor(api, usageKey, rows));
    if (points !== undefined) possible.set(usageKey, points);
  }
  const isKnown = subsections.every(({ usageKey }) => possible.has(usageKey));
  const next = isKnown ? null : api.next(value.next);
  if (next !== null) return { askedAt: sentAt, records: [], possible, next };
  const withheld = withheldTypes(subsections, possible, unfinished);
  return {
    askedAt: sentAt,
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
  unfinished: Policy["unfinished"],
): ReadonlyMap<string, string> {
  const withheld = new Map(unfinished);
  for (const type of new Set(subsections.map(({ assignmentType }) => assignmentType))) {
    const own = subsections.filter(({ assignmentType }) => assignmentType === type);
    const hidden = own.filter(({ usageKey }) => !possible.has(usageKey)).length;
    if (hidden > 0) withheld.set(type, `nobody who was asked can see ${hidden} of ${own.length} subsections`);
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

/** Asks for learners from all over the page, as a cohort or a track may see it alone. */
async function askedFor(api: EdxApi, usageKey: string, rows: readonly Row[]): Promise<number | undefined> {
  const step = Math.max(1, Math.floor(rows.length / ASKED_FOR_POINTS));
  const some = rows.filter((_, index) => index % step === 0).slice(0, ASKED_FOR_POINTS);
  for (const { user_id } of some) {
    const told = await api
      .get("subsection", subsectionPath(usageKey, user_id), subsectionGrade)
      .catch((error) => {
        if (error instanceof PullError && error.fault === "missing") return undefined;
        throw error;
      });
    const { success, original_grade } = told?.value ?? {};
    if (success && original_grade) return original_grade.possible_graded;
  }
  return undefined;
}

/** Turns rows of the gradebook into records, with the points that were learned before. */
export async function gradeRecords(
  scope: Scope,
  rows: readonly Row[],
  lookups: Pick<Lookups, "subsectionsOf">,
  policies: Policies,
): Promise<PlainRecord[]> {
  const { contextKey: courseKey } = scope;
  const subsections = await lookups.subsectionsOf(courseKey);
  const passMark = rows.length > 0 ? (await policies.of(scope)).passMark : 0;
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
    const percent = Math.min(1, Math.max(0, row.percent));
    records.push({
      kind: "courseGrade",
      username: row.username,
      courseKey,
      percent,
      passed: percent >= passMark,
    });
  }
  return records;
}
