import type { Criteria } from "./criteria.js";
import type { RequiredCredential, RequiredResult, Requirement, RequirementGroup } from "./requirement.js";

/** A requirement tree for one learning context, in which every required result lists its courses. */
export type ResolvedRequirement = ResolvedGroup | ResolvedResult | ResolvedCredential;

interface ResolvedGroup extends Omit<RequirementGroup, "parts"> {
  readonly parts: readonly ResolvedRequirement[];
}

export type ResolvedResult = Omit<RequiredResult, "courseKeys"> & { readonly courseKeys: readonly string[] };

export type ResolvedCredential = RequiredCredential;

interface RequirementContext {
  readonly learningContextKey: string;
  readonly isPath: boolean;
  /** The course itself, or the courses of the path in order. */
  readonly courseKeys: readonly string[];
  /** Number of required courses of a path; undefined if all are required. */
  readonly requiredSteps: number | undefined;
}

/**
 * Replaces references to the context itself. In a path, a result "of the context" is required in each course of the
 * path, or in as many courses as the path requires.
 */
export function resolveRequirement(part: Requirement, context: RequirementContext): ResolvedRequirement {
  if ("parts" in part) return { ...part, parts: part.parts.map((each) => resolveRequirement(each, context)) };
  const { learningContextKey, isPath, courseKeys, requiredSteps } = context;
  if (part.kind === "holds")
    return part.contextKeys === undefined && !("configurationId" in part.of)
      ? { ...part, contextKeys: [learningContextKey] }
      : part;
  if (part.courseKeys !== null) return { ...part, courseKeys: part.courseKeys };
  if (!isPath) return { ...part, courseKeys: [learningContextKey] };
  const count = requiredSteps ?? Math.max(courseKeys.length, 1);
  return {
    kind: requiredSteps === undefined ? "all" : "at_least",
    count,
    parts: courseKeys.map((courseKey) => ({ ...part, courseKeys: [courseKey] })),
  };
}

/** Returns the criteria in the order in which the tree names the courses. */
export function criteriaByCourse(tree: ResolvedRequirement): Map<string, Criteria> {
  const found = new Map<string, Criteria>();
  function visit(part: ResolvedRequirement): void {
    if ("parts" in part) for (const each of part.parts) visit(each);
    else if (part.kind !== "holds")
      for (const courseKey of part.courseKeys)
        found.set(courseKey, mergedCriteria(found.get(courseKey) ?? {}, part.criteria));
  }
  visit(tree);
  return found;
}

export function heldIn(part: ResolvedRequirement): ResolvedCredential[] {
  if ("parts" in part) return part.parts.flatMap(heldIn);
  return part.kind === "holds" ? [part] : [];
}

/** Merges the criteria of two parts for the same course, in order to determine which results they use. */
function mergedCriteria(one: Criteria, other: Criteria): Criteria {
  const completion = Math.max(one.completion ?? -1, other.completion ?? -1);
  const letter = one.letter ?? other.letter;
  const { acceptedLetters } = one.letter === undefined ? other : one;
  const grades = [one.grades, other.grades].filter((each) => each !== undefined);
  return {
    ...(grades.length > 0 && {
      grades: {
        byAssignmentType: new Map(grades.flatMap(({ byAssignmentType }) => [...byAssignmentType])),
        total: Math.max(...grades.map(({ total }) => total)),
        namesTotal: grades.some(({ namesTotal }) => namesTotal),
        usesPlatformTotal: grades.some(({ usesPlatformTotal }) => usesPlatformTotal),
      },
    }),
    ...(completion >= 0 && { completion }),
    ...((one.passed || other.passed) && { passed: true as const }),
    ...(letter !== undefined && { letter }),
    ...(acceptedLetters && { acceptedLetters }),
  };
}
