import type { sampleConfigurations, sampleCredentialTypes } from "#app/sample-data/configurations.js";
import type { LearnerRecord } from "#domain/learners/record.js";

type Configuration = (typeof sampleConfigurations)[number];
type CredentialType = (typeof sampleCredentialTypes)[number];
type Options = CredentialType["customOptions"];

/**
 * Results in millionths of a percent, by assignment type and for `total`. Contains no entry for an assignment type that
 * was not attempted.
 */
type Grades = Map<string, bigint>;

/** Repeats the rules of eligibility as plainly as possible, in integers instead of floating-point numbers. */
export function eligibility(records: readonly LearnerRecord[]) {
  const of = <K extends LearnerRecord["kind"]>(kind: K) =>
    records.filter((record): record is Extract<LearnerRecord, { kind: K }> => record.kind === kind);
  const grades = of("subsectionGrade");
  const courses = new Map(of("course").map((course) => [course.courseKey, course]));
  const paths = new Map(of("learningPath").map((path) => [path.pathKey, path]));
  const completions = new Map(of("completion").map((it) => [`${it.username} ${it.courseKey}`, it.percent]));
  const enrolled = new Set(
    of("enrollment")
      .filter(({ isActive }) => isActive)
      .map((it) => `${it.username} ${it.learningContextKey}`),
  );

  function gradesOf(username: string, courseKey: string): Grades {
    const course = courses.get(courseKey);
    const own = grades.filter((grade) => grade.username === username && grade.courseKey === courseKey);
    const found: Grades = new Map();
    let total: Fraction = [0n, 1n];
    course?.assignmentTypes.forEach((type, index) => {
      const attempted = own.filter((grade) => grade.assignmentType === type);
      if (attempted.length === 0) return;
      const earned = attempted.map((it) => fraction(it.earned)).reduce(plus);
      const possible = attempted.map((it) => fraction(it.possible)).reduce(plus);
      const percentage = times(times(earned, [possible[1], possible[0]]), [100n, 1n]);
      found.set(type, millionths(percentage));
      total = plus(total, times(percentage, fraction(course.weights[index] ?? 0)));
    });
    return found.set("total", millionths(total));
  }

  function passes(username: string, courseKey: string, options: Options): boolean {
    if (!enrolled.has(`${username} ${courseKey}`)) return false;
    const completed = completions.get(`${username} ${courseKey}`) ?? 0;
    if (completed < (options.required_completion ?? 0)) return false;
    const attained = gradesOf(username, courseKey);
    return Object.entries(options.required_grades ?? {}).every(([type, required]) => {
      const grade = attained.get(type.toLowerCase());
      return grade !== undefined && grade >= millionths(times(fraction(required), [100n, 1n]));
    });
  }

  function isEligible(username: string, configuration: Configuration, type: CredentialType): boolean {
    const key = configuration.learningContextKey;
    const { steps, ...options } = merge(type.customOptions, configuration.customOptions);
    const path = paths.get(key);
    if (!path) return passes(username, key, options);
    return (
      enrolled.has(`${username} ${key}`) &&
      path.stepCourseKeys.length > 0 &&
      path.stepCourseKeys.every((course) => passes(username, course, steps?.[course] ?? options))
    );
  }

  return { gradesOf, isEligible };
}

function merge(type: Options, own: Options): Options {
  const required_grades = { ...type.required_grades, ...own.required_grades };
  return { ...type, ...own, required_grades };
}

type Fraction = readonly [numerator: bigint, denominator: bigint];

/** Converts a number exactly from its decimal notation. */
function fraction(value: number): Fraction {
  const [whole = "", decimals = ""] = String(value).split(".");
  return [BigInt(whole + decimals), 10n ** BigInt(decimals.length)];
}

function plus([a, b]: Fraction, [c, d]: Fraction): Fraction {
  return [a * d + c * b, b * d];
}

function times([a, b]: Fraction, [c, d]: Fraction): Fraction {
  return [a * c, b * d];
}

/** Rounds half up. */
function millionths([numerator, denominator]: Fraction): bigint {
  return (2_000_000n * numerator + denominator) / (2n * denominator);
}
