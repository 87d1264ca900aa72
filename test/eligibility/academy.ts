import type { Options } from "#domain/configurations/options.js";
import { importRecords } from "#domain/learners/import-records.js";
import { API_OWNER } from "#domain/learners/owners.js";
import type { LearnerRecord } from "#domain/learners/record.js";
import type { Database } from "#infrastructure/db/database.js";
import { exact, type Fraction, millionths, over, plus, times, zero } from "./exact.js";

/** All data on which eligibility depends. Points, weights and fractions are exact in their decimal notation. */
export interface Academy {
  readonly courses: readonly Course[];
  /** If absent, the credentials are offered in the first course. */
  readonly path?: { readonly key: string; readonly isWithdrawn: boolean; readonly steps: readonly string[] };
  readonly learners: readonly Learner[];
  readonly credentials: readonly OfferedCredential[];
}

export interface Course {
  readonly key: string;
  readonly isWithdrawn: boolean;
  readonly policy: readonly (readonly [assignmentType: string, weight: number])[];
  /** Best first. */
  readonly letterGrades?: readonly string[];
}

export interface Learner {
  readonly username: string;
  readonly record: "kept" | "withdrawn" | "none";
  readonly inPath: Enrollment;
  /** By course key. */
  readonly in: { readonly [courseKey: string]: InCourse };
}

export type Enrollment = "active" | "inactive" | "withdrawn" | "none";

export interface InCourse {
  readonly enrollment: Enrollment;
  readonly grades: readonly Grade[];
  readonly completion?: { readonly percent: number; readonly isWithdrawn: boolean };
  /** The platform's result for the course. */
  readonly courseGrade?: {
    readonly percent: number | null;
    readonly passed?: boolean | null;
    readonly letter?: string;
    readonly isWithdrawn: boolean;
  };
}

export interface Grade {
  readonly type: string;
  readonly earned: number;
  readonly possible: number;
  readonly isWithdrawn: boolean;
}

export interface OfferedCredential {
  readonly retrieval:
    | "retrieve_subsection_grades"
    | "retrieve_completions"
    | "retrieve_completions_and_grades";
  readonly options: Requirement & { readonly steps?: { readonly [courseKey: string]: Requirement } };
}

export interface Requirement {
  readonly required_grades?: { readonly [name: string]: number };
  readonly required_completion?: number;
  readonly use_platform_total?: boolean;
  readonly required_passed?: boolean;
  readonly required_letter?: string;
}

/** Writes the academy into the database as if the platform had sent it. @returns the ids of the configurations */
export async function loadAcademy(database: Database, academy: Academy): Promise<number[]> {
  await importRecords(database, recordsOf(academy), new AbortController().signal);
  const { rows } = await database.knex.raw(
    `with offered as (
       select * from jsonb_to_recordset(?::jsonb) as (name text, "retrievalFunc" text, options jsonb, position int)
     ), type as (
       insert into credential_types (name, retrieval_func, generation_func, custom_options)
       select name, "retrievalFunc", 'learning_credentials.generators.generate_pdf_credential', '{}' from offered
       returning id, name
     )
     insert into credential_configurations (learning_context_key, credential_type_id, custom_options)
     select ?, type.id, options from type join offered using (name) order by position returning id`,
    [JSON.stringify(offeredRows(academy)), contextOf(academy)],
  );
  return rows.map(({ id }: { id: number }) => id).sort((a: number, b: number) => a - b);
}

export function contextOf({ path, courses }: Academy): string {
  return path?.key ?? courses[0]?.key ?? "";
}

function offeredRows(academy: Academy) {
  return academy.credentials.map(({ retrieval, options }, position) => ({
    name: `${position} in ${contextOf(academy)}`,
    retrievalFunc: `learning_credentials.processors.${retrieval}`,
    options: options as Options,
    position,
  }));
}

function recordsOf({ courses, path, learners }: Academy): LearnerRecord[] {
  const reported = (isDeleted: boolean) => ({ isDeleted, observedAt: null });
  const enrollment = (username: string, learningContextKey: string, state: Enrollment): LearnerRecord[] =>
    state === "none"
      ? []
      : [
          {
            kind: "enrollment",
            attributes: {},
            ...reported(state === "withdrawn"),
            username,
            learningContextKey,
            isActive: state !== "inactive",
          },
        ];
  const inCourse = (username: string, courseKey: string, it: InCourse): LearnerRecord[] => [
    ...enrollment(username, courseKey, it.enrollment),
    ...it.grades.map(
      ({ type, earned, possible, isWithdrawn }, index): LearnerRecord => ({
        kind: "subsectionGrade",
        ...reported(isWithdrawn),
        username,
        courseKey,
        usageKey: `unit ${index}`,
        assignmentType: type,
        earned,
        possible,
      }),
    ),
    ...(it.completion
      ? [
          {
            kind: "completion" as const,
            ...reported(it.completion.isWithdrawn),
            username,
            courseKey,
            percent: it.completion.percent,
          },
        ]
      : []),
    ...(it.courseGrade
      ? [
          {
            kind: "courseGrade" as const,
            ...reported(it.courseGrade.isWithdrawn),
            username,
            courseKey,
            percent: it.courseGrade.percent,
            passed: it.courseGrade.passed ?? null,
            letter: it.courseGrade.letter ?? "",
          },
        ]
      : []),
  ];
  return [
    ...courses.map(
      ({ key, isWithdrawn, policy, letterGrades = [] }): LearnerRecord => ({
        kind: "course",
        ...reported(isWithdrawn),
        courseKey: key,
        displayName: key,
        assignmentTypes: policy.map(([type]) => type),
        weights: policy.map(([, weight]) => weight),
        letterGrades,
      }),
    ),
    ...(path
      ? [
          {
            kind: "learningPath" as const,
            ...reported(path.isWithdrawn),
            pathKey: path.key,
            displayName: path.key,
            inviteOnly: true,
            category: "",
            stepCourseKeys: path.steps,
          },
        ]
      : []),
    ...learners.flatMap((learner) => [
      ...(learner.record === "none"
        ? []
        : [
            {
              kind: "learner" as const,
              learnerId: "",
              attributes: {},
              ...reported(learner.record === "withdrawn"),
              username: learner.username,
              email: "",
              fullName: learner.username,
              isActive: true,
              locale: "",
              owner: API_OWNER,
              takesOver: false,
            },
          ]),
      ...(path ? enrollment(learner.username, path.key, learner.inPath) : []),
      ...Object.entries(learner.in).flatMap(([key, it]) => inCourse(learner.username, key, it)),
    ]),
  ];
}

/**
 * A learner's results in a course. Percentages are in millionths of a percent, fractions in millionths of the whole.
 */
export interface Attained {
  /** Contains only the assignment types that the learner attempted. */
  readonly grades: ReadonlyMap<string, bigint>;
  readonly total: bigint;
  readonly platformTotal: bigint;
  readonly completion: bigint;
  readonly passed: boolean | null;
  readonly letter: string;
  readonly letterGrades: readonly string[];
}

/** Repeats the rules of eligibility as plainly as possible, in rational numbers. */
export function attainedIn(academy: Academy, learner: Learner, courseKey: string): Attained {
  const course = academy.courses.find(({ key, isWithdrawn }) => key === courseKey && !isWithdrawn);
  const { grades = [], completion, courseGrade } = learner.in[courseKey] ?? {};
  const verdict = courseGrade?.isWithdrawn ? undefined : courseGrade;
  const counted = grades.filter(({ isWithdrawn }) => !isWithdrawn);
  const percentages = new Map<string, Fraction>();
  for (const type of new Set(counted.map((grade) => grade.type))) {
    const own = counted.filter((grade) => grade.type === type);
    const earned = own.map((grade) => exact(grade.earned)).reduce(plus);
    const possible = own.map((grade) => exact(grade.possible)).reduce(plus);
    if (possible[0] > 0n) percentages.set(type, times([100n, 1n], over(earned, possible)));
  }
  const weighted = (course?.policy ?? []).map(([type, weight]) =>
    times(percentages.get(type) ?? zero, exact(weight)),
  );
  return {
    grades: new Map([...percentages].map(([type, percentage]) => [type, millionths(percentage)])),
    total: millionths(weighted.reduce(plus, zero)),
    platformTotal:
      verdict && verdict.percent !== null ? millionths(times([100n, 1n], exact(verdict.percent))) : 0n,
    passed: verdict?.passed ?? null,
    letter: verdict?.letter ?? "",
    letterGrades: course?.letterGrades ?? [],
    completion: completion && !completion.isWithdrawn ? millionths(exact(completion.percent)) : 0n,
  };
}

export function isEligible(academy: Academy, learner: Learner, credential: OfferedCredential): boolean {
  const { steps = {}, ...general } = credential.options;
  const passes = (courseKey: string) =>
    learner.in[courseKey]?.enrollment === "active" &&
    meets(attainedIn(academy, learner, courseKey), credential.retrieval, steps[courseKey] ?? general);
  if (learner.record !== "kept") return false;
  if (!academy.path) return passes(contextOf(academy));
  const { isWithdrawn, steps: courseKeys } = academy.path;
  return !isWithdrawn && learner.inPath === "active" && courseKeys.length > 0 && courseKeys.every(passes);
}

function meets(
  attained: Attained,
  retrieval: OfferedCredential["retrieval"],
  required: Requirement,
): boolean {
  const { required_grades, required_completion = 0.9, use_platform_total = false } = required;
  const { required_passed = false, required_letter } = required;
  if (required_passed && attained.passed !== true) return false;
  if (required_letter !== undefined && attained.letter !== required_letter) {
    const place = (letter: string) => attained.letterGrades.indexOf(letter);
    if (place(attained.letter) < 0 || place(attained.letter) > place(required_letter)) return false;
  }
  const total = use_platform_total ? attained.platformTotal : attained.total;
  if (
    retrieval !== "retrieve_subsection_grades" &&
    attained.completion < millionths(exact(required_completion))
  )
    return false;
  if (retrieval === "retrieve_completions") return true;
  // Without `required_grades`, only a required verdict makes eligibility possible.
  if (required_grades === undefined) return required_passed || required_letter !== undefined;
  return Object.entries(required_grades).every(([name, fraction]) => {
    const grade = name.toLowerCase() === "total" ? total : attained.grades.get(name.toLowerCase());
    return grade !== undefined && grade >= millionths(times([100n, 1n], exact(fraction)));
  });
}
