import type { Attained, BadgeResult } from "#formats/badges/open-badge.js";
import type { Particulars } from "#formats/rendering/generator.js";
import { gradesOf, readGrade } from "#foundation/text/grading-scale.js";
import { pointsOf, USUAL_POINTS } from "#foundation/text/points.js";
import type { CourseResult } from "../../eligibility/course-results.js";
import type { Credential } from "../credential.js";

/** Maximum number of courses with verdicts. More would exceed the number of statements that verifiers read. */
const MAX_WITH_VERDICTS = 20;

/** The only grade that a badge states for each step of a learning path. */
const TOTAL = "total";

/**
 * Returns the results that a badge states. For a course, these are all results. For each step of a learning path, they
 * are only the total (or the completion if there are no grades) and the platform's verdict, because verifiers limit the
 * size of badges.
 * @param iriOf returns an opaque IRI for a result of the configuration
 * @param version of the badge: 1 and 2 have no letter grades and no verdicts; 1 also lists grades in database order
 * instead of the order of the grading policy
 */
export function badgeResults(
  { results, particulars, configurationId, learningContextKey }: Credential,
  iriOf: (of: string) => string,
  version: number,
): BadgeResult[] {
  const courses = results?.courses ?? [];
  const written = version < 3 ? [] : onScale(particulars ?? {}, courses);
  const courseResults = courses.flatMap((course, index) => {
    const isStep = course.course_key !== learningContextKey;
    const percentages = percentagesOf(course, version === 1);
    const figures = isStep ? percentages.filter(({ name }) => name === TOTAL || !course.grades) : percentages;
    const all =
      version < 3 || courses.length > MAX_WITH_VERDICTS
        ? figures
        : [...figures, ...verdictsOf(course, isStep)];
    return all.map(({ kind, name, attained }) => ({
      id: iriOf(`${configurationId} ${course.course_key} ${kind} ${name}`),
      name: isStep ? `${course.name ?? `Course ${index + 1}`}: ${name}` : name,
      attained,
    }));
  });
  return [
    ...courseResults,
    ...written.map((each) => ({ ...each, id: iriOf(`${configurationId} ${each.name} on scale`) })),
  ];
}

/** Returns the grade as printed on the document. Returns nothing if the results of the course already contain it. */
function onScale(
  { scale, grade, letter, passed }: Particulars,
  courses: readonly CourseResult[],
): Omit<BadgeResult, "id">[] {
  const [course] = courses;
  if (!scale) return [];
  const { name, points = USUAL_POINTS } = scale;
  const score = letter === undefined ? undefined : readGrade(letter, scale);
  const scores = gradesOf(scale);
  let attained: Attained | undefined;
  if (name === "points" && grade !== undefined)
    attained = { type: "ScaledScore", score: String(pointsOf(grade, points)), scale: points };
  else if (name === "pass_fail" && passed !== undefined && course?.passed === undefined)
    attained = { type: "Status", passed };
  else if (score !== undefined && scores) attained = { type: "ScaledScore", score, scale: scores };
  else if (name === "letter" && letter !== undefined && course?.letter === undefined)
    attained = { type: "LetterGrade", letter, scale: [] };
  return attained ? [{ name: "grade", attained }] : [];
}

interface Stated {
  /** Distinguishes completion from an assignment type named `completion`. */
  readonly kind: "grade" | "completion" | "verdict";
  readonly name: string;
  readonly attained: Attained;
}

function percentagesOf(course: CourseResult, isUnordered: boolean): Stated[] {
  const { grades = {}, completion } = course;
  const names = isUnordered ? Object.keys(grades) : inPolicyOrder(course);
  const graded = names.map((name) => stated("grade", name, grades[name] ?? 0));
  if (completion === undefined) return graded;
  return [...graded, stated("completion", "completion", percentageOf(completion))];
}

function stated(kind: "grade" | "completion", name: string, percentage: number): Stated {
  return { kind, name, attained: { type: "Percent", percentage } };
}

function verdictsOf({ letter, letter_grades = [], passed }: CourseResult, isStep: boolean): Stated[] {
  const scale = isStep ? [] : letter_grades;
  const of = (name: string, attained: Attained) => ({ kind: "verdict" as const, name, attained });
  return [
    ...(letter === undefined ? [] : [of("letter grade", { type: "LetterGrade", letter, scale })]),
    ...(passed === undefined ? [] : [of("passed", { type: "Status", passed })]),
  ];
}

/** Puts the names in the order of the grading policy, then other names, and the total last. */
function inPolicyOrder({ grades = {}, grade_order: order = [] }: CourseResult): string[] {
  const names = Object.keys(grades).sort();
  const ordered = [...order.filter((name) => names.includes(name)), ...names].filter(
    (name) => name !== TOTAL,
  );
  return [...new Set(ordered), ...names.filter((name) => name === TOTAL)];
}

/** Completion has at most 6 decimals, so a percentage has at most 4. */
function percentageOf(fraction: number): number {
  return Number((fraction * 100).toFixed(4));
}
