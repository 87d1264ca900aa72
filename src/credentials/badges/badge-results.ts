import type { BadgeResult } from "../../badges/open-badge.js";
import type { Credential } from "../credential.js";
import type { CourseResult } from "../results.js";

/** Of a learning path, each step states this one grade. */
const TOTAL = "total";

/**
 * Returns the results that a badge states: all of a course, but of each step of a learning path only the total,
 * or else the completion. So the badge stays within what verifiers read.
 * @param iriOf returns an opaque IRI for a result of the configuration
 */
export function badgeResults(
  { results, configurationId, learningContextKey }: Credential,
  iriOf: (of: string) => string,
): BadgeResult[] {
  return (results?.courses ?? []).flatMap((course, index) => {
    const isStep = course.course_key !== learningContextKey;
    const percentages = percentagesOf(course);
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

function percentagesOf({ grades = {}, completion }: CourseResult): Percentage[] {
  const graded = Object.entries(grades).map(
    ([name, percentage]) => ({ kind: "grade", name, percentage }) as const,
  );
  if (completion === undefined) return graded;
  return [...graded, { kind: "completion", name: "completion", percentage: percentageOf(completion) }];
}

/** Completion has at most 6 decimals, so that a percentage has at most 4. */
function percentageOf(fraction: number): number {
  return Number((fraction * 100).toFixed(4));
}
