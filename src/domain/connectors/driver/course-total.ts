import { TOTAL_KEY, TOTAL_TYPE } from "#foundation/text/total-type.js";
import type { PlainRecord } from "../../learners/plain-record.js";
import type { RecordPage, Scope } from "./driver.js";

/** A part of a course, which requirements can use in addition to the total. It is not added to the total. */
export interface Part {
  readonly usageKey: string;
  readonly assignmentType: string;
}

/** Returns whether the name can be used for a part. @param type in lower case */
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
 * Returns the grading policy of a course whose total the platform computes, because the weights of our policies can't
 * express the platform's rules.
 * @param letterGrades best first
 */
export function totalPolicy(
  { contextKey, displayName }: Scope,
  parts: readonly Part[] = [],
  letterGrades: readonly string[] = [],
): RecordPage {
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

/** Removes the floating-point error from sums of decimals. */
export function roundedPoints(points: number): number {
  return Math.round(points * 1e6) / 1e6;
}

/** @param percent a fraction, limited to 0..1 */
export function completionRecord(username: string, { contextKey }: Scope, percent: number): PlainRecord {
  return { kind: "completion", username, courseKey: contextKey, percent: Math.min(1, Math.max(0, percent)) };
}

/**
 * Returns the records of a learner's total. If there are 0 possible points, the total is recorded as not attained,
 * which replaces an earlier grade. More than 100 % is recorded as 100 %.
 * @param verdict as the platform reports it
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
