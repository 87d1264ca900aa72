import { quoted } from "#foundation/errors.js";
import { type Knex, queryRows } from "#infrastructure/db/query.js";
import type { CourseRules, EligibilityRules } from "./eligibility-rules.js";
import type { Warning } from "./warning.js";

/** Maximum number of listed requirements. A path may have 200 courses. */
const MAX_LISTED = 20;

interface Requirement {
  readonly courseKey: string;
  readonly kind: "grade" | "completion" | "passed" | "letter";
  /** The assignment type or the letter grade; empty for other kinds. */
  readonly name: string;
}

/**
 * Returns a warning for each requirement for which no learner has a record, for example a misspelt assignment type.
 * @param scope "planned" reports all of these requirements. "configured" is for courses that may not have started, and
 * in which nobody has results yet. It reports only letter grades outside the course's scale and, if the course has a
 * grading policy or grades, assignment types that are in neither
 */
export async function unknownRequirements(
  db: Knex,
  { courses }: EligibilityRules,
  scope: "planned" | "configured",
): Promise<Warning[]> {
  const required = courses.flatMap((course) => requirementsIn(course, scope));
  const missing = [
    ...courses.flatMap(letterOutsideScale),
    ...(await withoutRecords(db, required, scope)).map((requirement) =>
      describeRequirement(requirement, courses),
    ),
  ];
  return missing.slice(0, MAX_LISTED);
}

function requirementsIn(
  { courseKey, criteria, policy }: CourseRules,
  scope: "planned" | "configured",
): Requirement[] {
  const grades = [...(criteria?.grades?.byAssignmentType.keys() ?? [])]
    .filter((type) => scope === "planned" || !policy.has(type))
    .map((name): Requirement => ({ courseKey, kind: "grade", name }));
  if (scope === "configured") return grades;
  const { completion = 0, passed, letter } = criteria ?? {};
  return [
    ...grades,
    ...(completion > 0 ? [{ courseKey, kind: "completion" as const, name: "" }] : []),
    ...(passed ? [{ courseKey, kind: "passed" as const, name: "" }] : []),
    ...(letter !== undefined ? [{ courseKey, kind: "letter" as const, name: letter }] : []),
  ];
}

function letterOutsideScale({ courseKey, criteria, letterGrades }: CourseRules): Warning[] {
  const letter = criteria?.acceptedLetters ? undefined : criteria?.letter;
  if (letter === undefined || letterGrades.length === 0 || letterGrades.includes(letter)) return [];
  const text = `${courseKey}: the letter grade ${quoted(letter)} is required, but the platform's letter grades are ${list(letterGrades)}.`;
  return [{ kind: "unknown_letter", text, courseKey, name: letter, known: letterGrades }];
}

function describeRequirement(
  { courseKey, kind, name }: Requirement,
  courses: EligibilityRules["courses"],
): Warning {
  switch (kind) {
    case "completion": {
      const text = `${courseKey}: completion is required, but no learner has a completion record.`;
      return { kind: "no_completion", text, courseKey };
    }
    case "passed": {
      const text = `${courseKey}: the course must be passed, but the platform has not reported for any learner whether they passed.`;
      return { kind: "no_pass", text, courseKey };
    }
    case "letter": {
      const text = `${courseKey}: the letter grade ${quoted(name)} is required, but no learner has a letter grade.`;
      return { kind: "no_letter", text, courseKey, name };
    }
    case "grade": {
      const known = [...(courses.find((course) => course.courseKey === courseKey)?.policy.keys() ?? [])];
      const missing = `${courseKey}: a grade in ${quoted(name)} is required, but no learner has one`;
      if (known.length === 0) return { kind: "no_grade", text: `${missing}.`, courseKey, name };
      if (known.includes(name)) return { kind: "no_grade", text: `${missing} yet.`, courseKey, name };
      const text = `${missing}. The course's assignment types are ${list(known)}.`;
      return { kind: "unknown_assignment_type", text, courseKey, name, known };
    }
  }
}

function list(names: readonly string[]): string {
  return names.map((name) => quoted(name)).join(", ");
}

/** Finds requirements without records. For an existing assignment type, reads only the first grade. */
async function withoutRecords(
  db: Knex,
  required: readonly Requirement[],
  scope: "planned" | "configured",
): Promise<Requirement[]> {
  if (required.length === 0) return [];
  return queryRows<Requirement>(
    db,
    `select required.course_key as "courseKey", required.kind, required.name
     from unnest(?::text[], ?::text[], ?::text[]) with ordinality as required (course_key, kind, name, position)
     where case required.kind
       when 'completion' then not exists (
         select from completions where completions.course_key = required.course_key and not is_deleted
       )
       when 'passed' then not exists (
         select from course_grades platform
         where platform.course_key = required.course_key and passed is not null and not is_deleted
       )
       when 'letter' then not exists (
         select from course_grades platform
         where platform.course_key = required.course_key and letter <> '' and not is_deleted
       )
       else not exists (
         select from subsection_grades grade
         where grade.course_key = required.course_key and grade.assignment_type = required.name
           and not grade.is_deleted
       ) and (? or exists (
         select from courses course
         where course.course_key = required.course_key and not is_deleted and cardinality(assignment_types) > 0
       ) or exists (
         select from subsection_grades grade where grade.course_key = required.course_key and not grade.is_deleted
       ))
     end
     order by required.position`,
    [
      required.map(({ courseKey }) => courseKey),
      required.map(({ kind }) => kind),
      required.map(({ name }) => name),
      scope === "planned",
    ],
  );
}
