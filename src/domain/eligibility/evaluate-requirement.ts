import { quoted } from "#foundation/errors.js";
import type { CourseProgress } from "./course-results.js";
import { evaluateResults, type ResultFigures } from "./evaluate-results.js";
import type { HeldCredential, LearnerProgress } from "./learner-progress.js";
import type { ResolvedCredential, ResolvedRequirement, ResolvedResult } from "./resolve-requirement.js";

/** A learner's progress in one part of a requirement tree. */
export interface RequirementResult {
  readonly kind: ResolvedRequirement["kind"];
  readonly isMet: boolean;
  /** Numbers of required and met parts; only for a group. */
  readonly requiredCount?: number;
  readonly metCount?: number;
  readonly parts?: readonly RequirementResult[];
  /** Accepted courses, in order; only for a result. One of them is sufficient. */
  readonly courseKeys?: readonly string[];
  /**
   * The course to which `figures` belong; only for a result. This is the first accepted course that meets the
   * requirement. If none does, it is the first in which the learner is enrolled, or else the first
   * accepted course.
   */
  readonly courseKey?: string;
  readonly figures?: ResultFigures;
  /** Only for a required credential. */
  readonly holds?: HoldsResult;
  /** What the learner lacks, in words; empty for a group. */
  readonly missing: readonly string[];
}

interface HoldsResult {
  readonly credentialTypeId: number;
  readonly configurationId: number;
  /** Name of the credential type; empty if the type no longer exists. */
  readonly name: string;
  /** Contexts, any one of which is sufficient for the credential; empty for all contexts. */
  readonly contextKeys: readonly string[];
  readonly held?: HeldCredential;
}

type Attained = Pick<LearnerProgress, "courses" | "namedCourses" | "held" | "holdable">;

export function evaluateRequirement(part: ResolvedRequirement, attained: Attained): RequirementResult {
  if (part.kind === "holds") return evaluateHolds(part, attained);
  if (!("parts" in part)) return evaluateResult(part, attained);
  const parts = part.parts.map((each) => evaluateRequirement(each, attained));
  const metCount = parts.filter(({ isMet }) => isMet).length;
  const { kind, count: requiredCount } = part;
  return { kind, isMet: metCount >= requiredCount, requiredCount, metCount, parts, missing: [] };
}

function evaluateResult(
  { kind, criteria, courseKeys }: ResolvedResult,
  attained: Attained,
): RequirementResult {
  const { courses, namedCourses } = attained;
  const courseOf = (key: string) =>
    courses.find(({ courseKey }) => courseKey === key) ??
    namedCourses.find(({ courseKey }) => courseKey === key) ??
    emptyProgress(key);
  const inOrder = courseKeys.map((courseKey) => {
    const course = courseOf(courseKey);
    return { course, results: evaluateResults(criteria, course, "required-grades") };
  });
  const met = inOrder.find(({ results }) => results.missing.length === 0);
  const shown = met ?? inOrder.find(({ course }) => course.isEnrolled) ?? inOrder[0];
  if (!shown) return { kind, isMet: false, courseKeys, missing: ["no course is named"] };
  return {
    kind,
    isMet: met !== undefined,
    courseKeys,
    courseKey: shown.course.courseKey,
    figures: shown.results,
    missing: shown.results.missing,
  };
}

function emptyProgress(courseKey: string): CourseProgress {
  return {
    courseKey,
    isEnrolled: false,
    assignmentTypes: [],
    grades: {},
    total: 0,
    platformTotal: 0,
    completion: 0,
    passed: null,
    letter: "",
    letterGrades: [],
  };
}

function evaluateHolds({ kind, of, contextKeys }: ResolvedCredential, attained: Attained): RequirementResult {
  const keys = contextKeys ?? [];
  const fits = (each: { configurationId: number; credentialTypeId: number; learningContextKey: string }) =>
    "configurationId" in of
      ? each.configurationId === of.configurationId
      : each.credentialTypeId === of.credentialTypeId &&
        (keys.length === 0 || keys.includes(each.learningContextKey));
  const held = attained.held.find(fits);
  const named = attained.holdable.find((each) =>
    "configurationId" in of
      ? each.configurationId === of.configurationId
      : each.credentialTypeId === of.credentialTypeId,
  );
  const name = named?.name ?? "";
  const where = named?.learningContextKey ? [named.learningContextKey] : keys;
  const places = where.length === 0 ? "" : ` in ${where.join(" or ")}`;
  return {
    kind,
    isMet: held !== undefined,
    holds: {
      credentialTypeId: "credentialTypeId" in of ? of.credentialTypeId : (named?.credentialTypeId ?? 0),
      configurationId: "configurationId" in of ? of.configurationId : 0,
      name,
      contextKeys: where,
      ...(held && { held }),
    },
    missing: held ? [] : [`the credential ${quoted(name)}${places}`],
  };
}

/**
 * Describes in English what the learner lacks.
 * @param contextKey the course or path that the text doesn't have to name
 */
export function missingOf(result: RequirementResult, contextKey: string): string[] {
  const { kind, isMet, parts, requiredCount = 0, metCount = 0, courseKeys = [], missing } = result;
  if (isMet) return [];
  if (parts) {
    const unmet = parts.filter((each) => !each.isMet).map((each) => missingOf(each, contextKey));
    if (requiredCount === parts.length) return unmet.flat();
    const choices = unmet.map((each) => each.join(" and ")).join("; or ");
    return [kind === "any" ? `one of: ${choices}` : `${requiredCount - metCount} more of: ${choices}`];
  }
  const where = courseKeys.length === 1 && courseKeys[0] === contextKey ? "" : `${courseKeys.join(" or ")}: `;
  return missing.map((text) => (kind === "holds" ? text : `${where}${text}`));
}
