import type { PlainRecord } from "../../learners/plain-record.js";
import type { Page, Scope } from "./driver.js";

/** The assignment type of a platform's own total, which is the only graded subsection of its courses here. */
export const TOTAL_TYPE = "course total";
const TOTAL_KEY = "course-total";

/** A part of a course that can be required besides its total, and is not summed up. */
export interface Part {
  readonly usageKey: string;
  readonly assignmentType: string;
}

/** Returns whether a part can be required by this name, in lower case. */
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
 * The policy of a course whose total is the platform's own: weights of such a platform do not map onto ours.
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

/** Points without what floating point adds to sums of decimals. */
export function roundedPoints(points: number): number {
  return Math.round(points * 1e6) / 1e6;
}

/** How much of a course a learner has completed, from 0 to 1. */
export function completionRecord(username: string, { contextKey }: Scope, percent: number): PlainRecord {
  return { kind: "completion", username, courseKey: contextKey, percent: Math.min(1, Math.max(0, percent)) };
}

/**
 * A learner's total, in points. Of no possible points, nothing is attained, and what was known is gone. Of more than
 * 100 %, as with extra credit, 100 % is taken.
 * @param verdict what the platform says besides
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
