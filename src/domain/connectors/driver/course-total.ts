import type { PlainRecord } from "../../learners/plain-record.js";
import type { Page, Scope } from "./driver.js";

/** The assignment type of the platform's own total, the only graded subsection of such courses. */
export const TOTAL_TYPE = "course total";
const TOTAL_KEY = "course-total";

/** A part of a course that can be required in addition to its total, but isn't added to it. */
export interface Part {
  readonly usageKey: string;
  readonly assignmentType: string;
}

/** Returns whether a part can have this name (in lower case) in requirements. */
export function isPartName(type: string): boolean {
  return (
    type !== "" &&
    type.length <= 255 &&
    type.isWellFormed() &&
    !/[\p{Cc}\uFEFF]/u.test(type) &&
    ![TOTAL_TYPE, "total", "__proto__"].includes(type)
  );
}

/**
 * Returns the policy of a course whose total the platform computes, because its weights don't map onto ours.
 * @param letterGrades best first
 */
export function totalPolicy(
  { contextKey, displayName }: Scope,
  parts: readonly Part[] = [],
  letterGrades: readonly string[] = [],
): Page {
  return {
    requestedAt: new Date(),
    next: null,
    records: [
      {
        kind: "course",
        courseKey: contextKey,
        displayName,
        gradingPolicy: [
          { assignmentType: TOTAL_TYPE, weight: 1 },
          ...parts.map(({ assignmentType }) => ({ assignmentType, weight: 0 })),
        ],
        letterGrades,
      },
    ],
    subsections: [{ usageKey: TOTAL_KEY, assignmentType: TOTAL_TYPE }, ...parts],
  };
}

/** Rounds points to remove the floating-point error of sums of decimals. */
export function roundedPoints(points: number): number {
  return Math.round(points * 1e6) / 1e6;
}

/** Returns a record of how much of a course a learner has completed, from 0 to 1. */
export function completionRecord(username: string, { contextKey }: Scope, percent: number): PlainRecord {
  return { kind: "completion", username, courseKey: contextKey, percent: Math.min(1, Math.max(0, percent)) };
}

/**
 * Returns records of a learner's total, in points. With 0 possible points, nothing is attained, which replaces an
 * earlier grade. More than 100 %, for example from extra credit, is recorded as 100 %.
 * @param verdict whether the learner passed, and the letter grade, as the platform reports them
 */
export function totalRecords(
  username: string,
  { contextKey: courseKey }: Scope,
  earned: number,
  possible: number,
  verdict: { readonly passed?: boolean; readonly letter?: string } = {},
): PlainRecord[] {
  const grade = {
    username,
    courseKey,
    usageKey: TOTAL_KEY,
    assignmentType: TOTAL_TYPE,
    earned: Math.min(earned, possible),
    possible,
  };
  const percent = possible === 0 ? 0 : Math.min(1, Math.round((earned / possible) * 1e8) / 1e8);
  return [
    { kind: "subsectionGrade", ...grade },
    { kind: "courseGrade", username, courseKey, percent, ...verdict },
  ];
}
