import type { z } from "zod";
import type { PlainRecord } from "../../learners/plain-record.js";
import type { Lookups, Scope, Subsection } from "../driver/driver.js";
import { PullError } from "../driver/pull-error.js";
import { isRetired } from "./edx-accounts.js";
import type { EdxApi } from "./edx-api.js";
import { type gradebook, gradingInfo, subsectionGrade } from "./edx-shapes.js";

type Row = z.output<typeof gradebook>["results"][number];

export function gradingInfoPath({ externalId }: Scope): string {
  return `/api/grades/v1/gradebook/${encodeURIComponent(externalId)}/grading-info?graded_only=true`;
}

/** The share of the total at which a course is passed, by course; for as long as this process runs. */
export type PassMarks = (scope: Scope) => Promise<number>;

/** Remembers pass marks: the gradebook does not say who has passed. */
export function createPassMarks(
  api: EdxApi,
): PassMarks & { learn(scope: Scope, cutoffs: Record<string, number>): void } {
  const marks = new Map<string, number>();
  const learn = ({ contextKey }: Scope, cutoffs: Record<string, number>) => {
    const values = Object.values(cutoffs);
    const mark = values.length === 0 ? Number.POSITIVE_INFINITY : Math.min(...values);
    marks.set(contextKey, mark);
    return mark;
  };
  const find = async (scope: Scope) => {
    const known = marks.get(scope.contextKey);
    if (known !== undefined) return known;
    const { value } = await api.get("grading-info", gradingInfoPath(scope), gradingInfo);
    return learn(scope, value.grade_cutoffs);
  };
  return Object.assign(find, { learn });
}

/**
 * Turns rows of the gradebook into records. Until a subsection was attempted, the gradebook says that 0 points
 * are possible. Its points are learned apart, so that one homework of ten is not all of them.
 * @returns the records, and points that were learned on the way
 */
export async function gradeRecords(
  api: EdxApi,
  scope: Scope,
  rows: readonly Row[],
  lookups: Pick<Lookups, "subsectionsOf">,
  passMarks: PassMarks,
): Promise<{ records: PlainRecord[]; possible: ReadonlyMap<string, number> }> {
  const { contextKey: courseKey } = scope;
  const subsections = await lookups.subsectionsOf(courseKey);
  const learned = new Map<string, number>();
  const records: PlainRecord[] = [];
  const passMark = rows.length > 0 ? await passMarks(scope) : 0;
  for (const row of rows) {
    if (isRetired(row.username)) continue;
    const scores = new Map(row.section_breakdown.map((score) => [score.module_id, score]));
    for (const subsection of subsections) {
      const { usageKey, assignmentType } = subsection;
      const score = scores.get(usageKey);
      const isOwn = score !== undefined && score.score_possible > 0;
      const possible = isOwn
        ? score.score_possible
        : await possibleFor(api, subsection, row.user_id, rows, learned);
      const earned = Math.max(0, score?.score_earned ?? 0);
      records.push({
        kind: "subsectionGrade",
        username: row.username,
        courseKey,
        usageKey,
        assignmentType,
        earned,
        possible,
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
  return { records, possible: learned };
}

/** Asks once for each subsection; the answer is the same for everybody who has not attempted it. */
async function possibleFor(
  api: EdxApi,
  { usageKey, possible }: Subsection,
  userId: number,
  rows: readonly Row[],
  learned: Map<string, number>,
): Promise<number> {
  const known = learned.get(usageKey) ?? possible;
  if (known !== null) return known;
  const path = `/api/grades/v1/subsection/${encodeURIComponent(usageKey)}/?user_id=${userId}&history_record_limit=0`;
  const answer = await api.get("subsection", path, subsectionGrade).catch((error) => {
    if (error instanceof PullError && error.fault === "missing") return undefined;
    throw error;
  });
  const seen = rows.flatMap(({ section_breakdown }) =>
    section_breakdown.filter(({ module_id }) => module_id === usageKey).map((score) => score.score_possible),
  );
  const found = answer?.value.original_grade?.possible_graded ?? Math.max(0, ...seen);
  if (found <= 0 && !answer?.value.original_grade) {
    throw new PullError(
      "invalid",
      "subsection: the LMS does not say how many points a graded subsection has that nobody has attempted.",
    );
  }
  learned.set(usageKey, found);
  return found;
}
