import type { BadgeResult } from "#formats/badges/open-badge.js";
import type { CourseResult } from "../../eligibility/course-results.js";
import type { Credential } from "../credential.js";

/** Of a learning path, each step states this one grade. */
const TOTAL = "total";

/**
 * Returns the results that a badge states: all of a course. Of each step of a learning path, it is only the
 * total, or else the completion. So the badge stays within what verifiers read.
 * @param iriOf returns an opaque IRI for a result of the configuration
 * @param isUnordered whether grades are in the order of the database; otherwise in that of the grading policy
 */
export function badgeResults(
  { results, configurationId, learningContextKey }: Credential,
  iriOf: (of: string) => string,
  isUnordered: boolean,
): BadgeResult[] {
  return (results?.courses ?? []).flatMap((course, index) => {
    const isStep = course.course_key !== learningContextKey;
    const percentages = percentagesOf(course, isUnordered);
    const stated = isStep ? percentages.filter(({ name }) => name === TOTAL || !course.grades) : percentages;
    return stated.map(({ kind, name, percentage }) => ({
      id: iriOf(`${configurationId} ${course.course_key} ${kind} ${name}`),
      name: isStep ? `${course.name ?? `Course ${index + 1}`}: ${name}` : name,
      percentage,
    }));
  });
}

interface Percentage {
  /** An assignment type may be named `completion`. */
  readonly kind: "grade" | "completion";
  readonly name: string;
  readonly percentage: number;
}

function percentagesOf(course: CourseResult, isUnordered: boolean): Percentage[] {
  const { grades = {}, completion } = course;
  const names = isUnordered ? Object.keys(grades) : inPolicyOrder(course);
  const graded = names.map((name) => ({ kind: "grade", name, percentage: grades[name] ?? 0 }) as const);
  if (completion === undefined) return graded;
  return [...graded, { kind: "completion", name: "completion", percentage: percentageOf(completion) }];
}

/** Orders the names of grades as reports of eligibility do: by the policy, then the others, the total last. */
function inPolicyOrder({ grades = {}, grade_order: order = [] }: CourseResult): string[] {
  const names = Object.keys(grades).sort();
  const known = [...order.filter((name) => names.includes(name)), ...names].filter((name) => name !== TOTAL);
  return [...new Set(known), ...names.filter((name) => name === TOTAL)];
}

/** Completion has at most 6 decimals, so that a percentage has at most 4. */
function percentageOf(fraction: number): number {
  return Number((fraction * 100).toFixed(4));
}
