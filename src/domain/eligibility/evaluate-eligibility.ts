import { createBoundedCache } from "#foundation/concurrency/bounded-cache.js";
import { type GradingScale, spellingsOfAtLeast } from "#foundation/text/grading-scale.js";
import { isObject } from "#foundation/text/is-object.js";
import { mergeOptions } from "#foundation/text/merge-options.js";
import { gradingScaleIn } from "../configurations/grading-scale-option.js";
import { type Options, pick, requiredStepsIn, STEPS } from "../configurations/options.js";
import type { CourseProgress } from "./course-results.js";
import type { Criteria } from "./criteria.js";
import { evaluateRequirement, missingOf, type RequirementResult } from "./evaluate-requirement.js";
import { evaluateResults, type ResultFigures } from "./evaluate-results.js";
import type { ConfiguredCredential, LearnerProgress } from "./learner-progress.js";
import type { CourseProcessor, Processor, TreeProcessor } from "./processor.js";
import type { Requirement } from "./requirement.js";
import { type ResolvedRequirement, resolveRequirement } from "./resolve-requirement.js";

export interface EligibilityResult extends ResultFigures {
  readonly isEligible: boolean;
  /** Whether the learner has a record and is actively enrolled in the context. */
  readonly isEnrolled: boolean;
  /** What the learner lacks, in words, for example `final: 55 of 60 %`. */
  readonly missing: readonly string[];
  /** Steps in order; only for learning paths. */
  readonly steps?: readonly { readonly courseKey: string; readonly progress: EligibilityResult }[];
  /** Number of required steps; absent if all are required. */
  readonly requiredSteps?: number;
  /** Only for a requirement tree. */
  readonly requirement?: RequirementResult;
  /** The scale on which grades are shown; absent for percentages. Steps use the scale of their path. */
  readonly scale?: GradingScale;
}

export function evaluateEligibility(
  credential: ConfiguredCredential,
  processor: Processor,
  progress: LearnerProgress,
  isPath: boolean,
): EligibilityResult {
  const ofContext = derived(credential, "", isPath, processor);
  const result = evaluate(credential, processor, progress, isPath, ofContext);
  const { scale } = ofContext;
  return scale ? { ...result, scale } : result;
}

function evaluate(
  credential: ConfiguredCredential,
  processor: Processor,
  progress: LearnerProgress,
  isPath: boolean,
  ofContext: Derived,
): EligibilityResult {
  if ("requirement" in processor) return evaluateTree(ofContext, progress, isPath);
  const inCourse = (course: CourseProgress) =>
    evaluateCourse(
      derived(credential, course.courseKey, isPath, processor).criteria,
      course,
      progress.hasLearnerRecord,
    );
  if (isPath) {
    const steps = progress.courses.map((course) => ({
      courseKey: course.courseKey,
      progress: inCourse(course),
    }));
    return evaluatePath(steps, progress.isEnrolled, ofContext.requiredSteps);
  }
  const [course] = progress.courses;
  if (course === undefined)
    throw new Error("the list of courses in the progress is empty, although a course was requested");
  return inCourse(course);
}

/** Number of cached criteria per processor. */
const MAX_CRITERIA = 1000;

/** Number of contexts for which a resolved tree is cached. */
const MAX_CONTEXTS = 10;

interface Derived {
  readonly criteria: Criteria | undefined;
  readonly requiredSteps: number | undefined;
  readonly requirement: Requirement | undefined;
  readonly scale: GradingScale | undefined;
  /** Resolved trees by the keys of the context and of its courses. */
  readonly resolved: ReturnType<typeof createBoundedCache<ResolvedRequirement>>;
}

const derivedBy = new WeakMap<Processor, ReturnType<typeof createBoundedCache<Derived>>>();

/**
 * Derives criteria from options, and caches them, because merging and validating options takes longer than applying
 * criteria.
 */
function derived(
  { typeOptions, options }: ConfiguredCredential,
  courseKey: string,
  isStep: boolean,
  processor: Processor,
): Derived {
  const cached = derivedBy.get(processor) ?? createBoundedCache<Derived>(MAX_CRITERIA);
  derivedBy.set(processor, cached);
  const key = `${isStep ? courseKey : ""}\n${typeOptions}\n${options}`;
  return cached(key, () => {
    const merged = mergeOptions(JSON.parse(typeOptions), JSON.parse(options));
    const isTree = "requirement" in processor;
    return {
      criteria: isTree ? undefined : criteriaIn(courseKey, isStep, merged, processor),
      requirement: isTree ? requirementIn(merged, processor) : undefined,
      requiredSteps: requiredStepsIn(merged),
      scale: gradingScaleIn(merged),
      resolved: createBoundedCache(MAX_CONTEXTS),
    };
  });
}

/** Returns the tree in the options, or `undefined` if there is none. Nobody is eligible without a tree. */
export function requirementIn(options: Options, processor: TreeProcessor): Requirement | undefined {
  const picked = pick(options, processor);
  if (!processor.options.safeParse(picked).success) return undefined;
  return onScale(processor.requirement(picked), gradingScaleIn(options));
}

/**
 * Returns the criteria for a course. The options of a step replace the options of its path. Returns `undefined` if
 * neither has requirements for the course. Nobody is then eligible.
 */
export function criteriaIn(
  courseKey: string,
  isStep: boolean,
  options: Options,
  processor: CourseProcessor,
): Criteria | undefined {
  const steps = isStep ? options[STEPS] : undefined;
  const own = isObject(steps) ? steps[courseKey] : undefined;
  const picked = isObject(own) ? own : pick(options, processor);
  if (!processor.options.safeParse(picked).success) return undefined;
  return criteriaOnScale(processor.criteria(picked), gradingScaleIn(options));
}

function criteriaOnScale(criteria: Criteria, scale: GradingScale | undefined): Criteria {
  const acceptedLetters =
    criteria.letter === undefined || !scale ? undefined : spellingsOfAtLeast(criteria.letter, scale);
  return acceptedLetters ? { ...criteria, acceptedLetters } : criteria;
}

function onScale(requirement: Requirement, scale: GradingScale | undefined): Requirement {
  if (!scale) return requirement;
  if ("parts" in requirement)
    return { ...requirement, parts: requirement.parts.map((part) => onScale(part, scale)) };
  return "criteria" in requirement
    ? { ...requirement, criteria: criteriaOnScale(requirement.criteria, scale) }
    : requirement;
}

function evaluatePath(
  steps: NonNullable<EligibilityResult["steps"]>,
  isEnrolled: boolean,
  requiredSteps: number | undefined,
): EligibilityResult {
  const metCount = steps.filter(({ progress }) => progress.isEligible).length;
  const isEnough = requiredSteps !== undefined && metCount >= requiredSteps;
  const missing = [
    ...(isEnrolled ? [] : ["an active enrolment in the learning path"]),
    ...(steps.length > 0 ? [] : ["the learning path has no steps"]),
    ...(requiredSteps === undefined || isEnough ? [] : [`${metCount} of ${requiredSteps} required courses`]),
    ...(isEnough
      ? []
      : steps.flatMap(({ courseKey, progress }) => progress.missing.map((text) => `${courseKey}: ${text}`))),
  ];
  return {
    isEligible: missing.length === 0,
    isEnrolled,
    missing,
    steps,
    ...(requiredSteps !== undefined && { requiredSteps }),
  };
}

function evaluateTree(
  { requirement: tree, requiredSteps, resolved }: Derived,
  progress: LearnerProgress,
  isPath: boolean,
): EligibilityResult {
  const { learningContextKey, courses } = progress;
  const isEnrolled = progress.hasLearnerRecord && progress.isEnrolled;
  const keys = isPath ? courses.map(({ courseKey }) => courseKey) : [learningContextKey];
  const result =
    tree &&
    evaluateRequirement(
      resolved([learningContextKey, ...keys].join("\n"), () =>
        resolveRequirement(tree, { learningContextKey, isPath, courseKeys: keys, requiredSteps }),
      ),
      progress,
    );
  const missing = [
    ...(progress.hasLearnerRecord ? [] : ["a learner record"]),
    ...(progress.isEnrolled ? [] : [`an active enrolment in the ${isPath ? "learning path" : "course"}`]),
    ...(result ? missingOf(result, learningContextKey) : ["no requirements are configured"]),
  ];
  return {
    isEligible: missing.length === 0,
    isEnrolled,
    missing,
    ...(result && { requirement: result }),
  };
}

function evaluateCourse(
  criteria: Criteria | undefined,
  course: CourseProgress,
  hasLearnerRecord: boolean,
): EligibilityResult {
  const isEnrolled = hasLearnerRecord && course.isEnrolled;
  if (criteria === undefined)
    return { isEligible: false, isEnrolled, missing: ["no requirements are configured for this course"] };
  const { missing: missingResults, ...figures } = evaluateResults(criteria, course);
  const missing = [
    ...(hasLearnerRecord ? [] : ["a learner record"]),
    ...(course.isEnrolled ? [] : ["an active enrolment in the course"]),
    ...missingResults,
  ];
  return { isEligible: missing.length === 0, isEnrolled, missing, ...figures };
}
