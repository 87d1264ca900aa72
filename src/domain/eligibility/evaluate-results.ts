import type { CourseProgress } from "./course-results.js";
import { type Criteria, lettersMeeting, type RequiredGrades, TOTAL } from "./criteria.js";

/** The requirements in a course, with the learner's results. */
export interface ResultFigures {
  /** Percentages by assignment type in the order of the policy, `total` last; only for grade-based criteria. */
  readonly currentGrades?: Grades;
  readonly requiredGrades?: Grades;
  /** Fractions 0..1; only for completion-based criteria. */
  readonly currentCompletion?: number;
  readonly requiredCompletion?: number;
  /** The platform's verdict; present if required and known. */
  readonly currentPassed?: boolean;
  readonly requiredPassed?: true;
  /** The platform's letter grade; present if required and known. */
  readonly currentLetter?: string;
  readonly requiredLetter?: string;
  readonly acceptedLetters?: readonly string[];
}

export type Grades = readonly Grade[];

interface Grade {
  readonly key: string;
  readonly value: number;
  /** Whether the assignment type was not attempted, or the total is not required. The value is then 0. */
  readonly isMissing?: true;
}

/**
 * Compares a learner's results in a course with its criteria. Enrolment is not checked.
 * @param shown the grades to report: all grades of the course, or only the required ones
 */
export function evaluateResults(
  criteria: Criteria,
  course: CourseProgress,
  shown: "all-grades" | "required-grades" = "all-grades",
): ResultFigures & { readonly missing: readonly string[] } {
  const { grades, completion, passed, letter } = criteria;
  const missing: string[] = [];
  const results: Results = { missing };
  if (grades) {
    missing.push(...missingGrades(grades, course));
    const names = requiredNames(grades, course);
    const isAll = shown === "all-grades";
    results.currentGrades = currentGrades(
      course,
      isAll ? allNames(course) : names,
      isAll || grades.namesTotal ? totalOf(grades, course) : undefined,
    );
    results.requiredGrades = requiredGrades(grades, names, isAll);
  }
  if (completion !== undefined) {
    if (course.completion < completion) missing.push(`completion: ${course.completion} of ${completion}`);
    results.currentCompletion = course.completion;
    results.requiredCompletion = completion;
  }
  if (passed) {
    missing.push(...missingPass(course));
    if (course.passed !== null) results.currentPassed = course.passed;
    results.requiredPassed = passed;
  }
  if (letter !== undefined) {
    const accepted = lettersMeeting(criteria, course.letterGrades);
    missing.push(...missingLetter(letter, accepted, course));
    if (course.letter !== "") results.currentLetter = course.letter;
    results.requiredLetter = letter;
    results.acceptedLetters = accepted;
  }
  return results;
}

type Results = { -readonly [Field in keyof ResultFigures]: ResultFigures[Field] } & {
  readonly missing: readonly string[];
};

function missingPass({ passed }: CourseProgress): string[] {
  if (passed) return [];
  return [
    passed === null
      ? "the platform has not reported whether the course is passed"
      : "not passed on the platform",
  ];
}

function missingLetter(required: string, accepted: readonly string[], { letter }: CourseProgress): string[] {
  if (accepted.includes(letter)) return [];
  return [`letter grade: ${letter === "" ? "none" : letter}, ${required} required`];
}

/**
 * Describes the grades that are too low. Required and attained percentages have at most 6 decimals, so they can be
 * compared exactly as numbers.
 */
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

/** Reads only own properties, because an assignment type may be named `constructor`. */
function gradeIn({ grades }: CourseProgress, assignmentType: string): number | undefined {
  return Object.hasOwn(grades, assignmentType) ? grades[assignmentType] : undefined;
}

function currentGrades(course: CourseProgress, names: readonly string[], total: number | undefined): Grades {
  const grades = names.map((key) => gradeOrMissing(key, gradeIn(course, key)));
  if (total !== undefined) grades.push({ key: TOTAL, value: total });
  return grades;
}

function allNames(course: CourseProgress): readonly string[] {
  return [...course.assignmentTypes, ...namesOutsidePolicy(course, Object.keys(course.grades))];
}

function requiredNames({ byAssignmentType }: RequiredGrades, course: CourseProgress): readonly string[] {
  return [
    ...course.assignmentTypes.filter((name) => byAssignmentType.has(name)),
    ...namesOutsidePolicy(course, byAssignmentType.keys()),
  ];
}

function namesOutsidePolicy({ assignmentTypes }: CourseProgress, names: Iterable<string>): string[] {
  return [...names].filter((name) => !assignmentTypes.includes(name)).sort();
}

/** @param isTotalShown whether to report a total that is not required, as 0 */
function requiredGrades(required: RequiredGrades, names: readonly string[], isTotalShown: boolean): Grades {
  const grades = names.map((key) => gradeOrMissing(key, required.byAssignmentType.get(key) ?? 0));
  if (required.namesTotal || isTotalShown)
    grades.push(gradeOrMissing(TOTAL, required.namesTotal ? required.total : undefined));
  return grades;
}

function gradeOrMissing(key: string, value: number | undefined): Grade {
  return value === undefined ? { key, value: 0, isMissing: true } : { key, value };
}
