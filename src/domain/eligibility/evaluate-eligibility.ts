import { createBoundedCache } from "#foundation/concurrency/bounded-cache.js";
import { isObject } from "#foundation/text/is-object.js";
import { mergeOptions, type Options, pick, STEPS } from "../configurations/options.js";
import type { CourseProgress } from "./course-results.js";
import { type Criteria, lettersMeeting, type RequiredGrades, TOTAL } from "./criteria.js";
import type { ConfiguredCredential, LearnerProgress } from "./learner-progress.js";
import type { Processor } from "./processor.js";

/** A learner's progress towards a credential, or in one step towards it. */
export interface EligibilityResult {
  readonly isEligible: boolean;
  /** Whether the learner, who has a record, is actively enrolled in the context. */
  readonly isEnrolled: boolean;
  /** What is still required for eligibility, in words: `final: 55 of 60 %`. */
  readonly missing: readonly string[];
  /**
   * Percentages by assignment type in the order of the policy, `total` last; present for grade-based
   * criteria.
   */
  readonly currentGrades?: Grades;
  readonly requiredGrades?: Grades;
  /** Fractions 0..1; present for completion-based criteria. */
  readonly currentCompletion?: number;
  readonly requiredCompletion?: number;
  /** Whether the platform considers the course as passed; present if that is required, and the platform has said so. */
  readonly currentPassed?: boolean;
  readonly requiredPassed?: true;
  /** The platform's letter grade; present if one is required, and the platform has given one. */
  readonly currentLetter?: string;
  readonly requiredLetter?: string;
  /** The letter grades that meet the required one. */
  readonly acceptedLetters?: readonly string[];
  /** Present for learning paths, in the path's order. */
  readonly steps?: readonly { readonly courseKey: string; readonly progress: EligibilityResult }[];
}

export type Grades = readonly Grade[];

export interface Grade {
  readonly key: string;
  readonly value: number;
  /** An assignment type that was not attempted, or a total that is not required: shown as 0. */
  readonly isMissing?: true;
}

/** Computes a learner's progress towards one of the configured credentials. */
export function evaluateEligibility(
  credential: ConfiguredCredential,
  processor: Processor,
  progress: LearnerProgress,
  isPath: boolean,
): EligibilityResult {
  const inCourse = (course: CourseProgress) =>
    evaluateCourse(
      criteriaOf(credential, course.courseKey, isPath, processor),
      course,
      progress.hasLearnerRecord,
    );
  if (isPath) {
    const steps = progress.courses.map((course) => ({
      courseKey: course.courseKey,
      progress: inCourse(course),
    }));
    return evaluatePath(steps, progress.isEnrolled);
  }
  const [course] = progress.courses;
  if (course === undefined) throw new Error("a course must be the only course of its own context");
  return inCourse(course);
}

/** Number of criteria that are cached for each processor. */
const MAX_CRITERIA = 1000;

type Derived = { readonly criteria: Criteria | undefined };

const derivedBy = new WeakMap<Processor, ReturnType<typeof createBoundedCache<Derived>>>();

/**
 * Returns cached criteria for the same options, because validating and merging options costs more than
 * applying criteria.
 */
function criteriaOf(
  { typeOptions, options }: ConfiguredCredential,
  courseKey: string,
  isStep: boolean,
  processor: Processor,
): Criteria | undefined {
  const derived = derivedBy.get(processor) ?? createBoundedCache<Derived>(MAX_CRITERIA);
  derivedBy.set(processor, derived);
  const key = `${isStep ? courseKey : ""}\n${typeOptions}\n${options}`;
  return derived(key, () => {
    const merged = mergeOptions(JSON.parse(typeOptions), JSON.parse(options));
    return { criteria: criteriaIn(courseKey, isStep, merged, processor) };
  }).criteria;
}

/**
 * Returns the criteria in one course. The options of its step replace those of the path.
 * @returns undefined if neither states requirements for the course; then nobody is eligible
 */
export function criteriaIn(
  courseKey: string,
  isStep: boolean,
  options: Options,
  processor: Processor,
): Criteria | undefined {
  const steps = isStep ? options[STEPS] : undefined;
  const own = isObject(steps) ? steps[courseKey] : undefined;
  const given = isObject(own) ? own : pick(options, processor);
  return processor.options.safeParse(given).success ? processor.criteria(given) : undefined;
}

function evaluatePath(
  steps: NonNullable<EligibilityResult["steps"]>,
  isEnrolled: boolean,
): EligibilityResult {
  const missing = [
    ...(isEnrolled ? [] : ["an active enrolment in the learning path"]),
    ...(steps.length > 0 ? [] : ["the learning path has no steps"]),
    ...steps.flatMap(({ courseKey, progress }) => progress.missing.map((text) => `${courseKey}: ${text}`)),
  ];
  return { isEligible: missing.length === 0, isEnrolled, missing, steps };
}

function evaluateCourse(
  criteria: Criteria | undefined,
  course: CourseProgress,
  hasLearnerRecord: boolean,
): EligibilityResult {
  const isEnrolled = hasLearnerRecord && course.isEnrolled;
  if (criteria === undefined)
    return { isEligible: false, isEnrolled, missing: ["no requirements are configured for this course"] };
  const { grades, completion, passed, letter } = criteria;
  const missing = [
    ...(hasLearnerRecord ? [] : ["a learner record"]),
    ...(course.isEnrolled ? [] : ["an active enrolment in the course"]),
    ...(grades ? missingGrades(grades, course) : []),
    ...(completion === undefined || course.completion >= completion
      ? []
      : [`completion: ${course.completion} of ${completion}`]),
    ...(passed ? missingPass(course) : []),
    ...(letter === undefined ? [] : missingLetter(letter, course)),
  ];
  return {
    isEligible: missing.length === 0,
    isEnrolled,
    missing,
    ...(grades && gradesOf(grades, course)),
    ...(completion !== undefined && { currentCompletion: course.completion, requiredCompletion: completion }),
    ...(passed && {
      ...(course.passed !== null && { currentPassed: course.passed }),
      requiredPassed: passed,
    }),
    ...(letter !== undefined && {
      ...(course.letter !== "" && { currentLetter: course.letter }),
      requiredLetter: letter,
      acceptedLetters: lettersMeeting(letter, course.letterGrades),
    }),
  };
}

function missingPass({ passed }: CourseProgress): string[] {
  if (passed) return [];
  return [
    passed === null ? "the platform has not said whether the course is passed" : "not passed on the platform",
  ];
}

function missingLetter(required: string, { letter, letterGrades }: CourseProgress): string[] {
  if (lettersMeeting(required, letterGrades).includes(letter)) return [];
  return [`letter grade: ${letter === "" ? "none" : letter}, ${required} required`];
}

/** Both sides are decimals of at most 6 places, so comparing them as numbers is exact. */
function missingGrades(required: RequiredGrades, course: CourseProgress): string[] {
  const missing = [...required.byAssignmentType].flatMap(([assignmentType, percentage]) => {
    const attained = gradeIn(course, assignmentType);
    if (attained === undefined) return [`${assignmentType}: not attempted, ${percentage} % required`];
    return attained >= percentage ? [] : [`${assignmentType}: ${attained} of ${percentage} %`];
  });
  const total = totalOf(required, course);
  return total >= required.total ? missing : [...missing, `${TOTAL}: ${total} of ${required.total} %`];
}

function totalOf({ usesPlatformTotal }: RequiredGrades, course: CourseProgress): number {
  return usesPlatformTotal ? course.platformTotal : course.total;
}

/** Reads own properties only: an assignment type may be named `constructor`. */
function gradeIn({ grades }: CourseProgress, assignmentType: string): number | undefined {
  return Object.hasOwn(grades, assignmentType) ? grades[assignmentType] : undefined;
}

function gradesOf(required: RequiredGrades, course: CourseProgress) {
  const outsidePolicy = (names: Iterable<string>) =>
    [...names].filter((name) => !course.assignmentTypes.includes(name)).sort();
  const current = [...course.assignmentTypes, ...outsidePolicy(Object.keys(course.grades))];
  const needed = [
    ...course.assignmentTypes.filter((name) => required.byAssignmentType.has(name)),
    ...outsidePolicy(required.byAssignmentType.keys()),
  ];
  return {
    currentGrades: [
      ...current.map((key) => gradeOrMissing(key, gradeIn(course, key))),
      { key: TOTAL, value: totalOf(required, course) },
    ],
    requiredGrades: [
      ...needed.map((key) => ({ key, value: required.byAssignmentType.get(key) ?? 0 })),
      gradeOrMissing(TOTAL, required.namesTotal ? required.total : undefined),
    ],
  };
}

function gradeOrMissing(key: string, value: number | undefined): Grade {
  return value === undefined ? { key, value: 0, isMissing: true } : { key, value };
}
