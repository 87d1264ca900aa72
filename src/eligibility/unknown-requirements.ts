import type { Knex } from "knex";
import { queryRows } from "../db/query.js";
import { quoted } from "../text/quoted.js";
import type { EligibilityRules } from "./eligibility-rules.js";

/** Maximum number of requirements that are named: a path may have 200 courses. */
const NAMED = 20;

interface Requirement {
  readonly courseKey: string;
  /** Empty for completion. */
  readonly assignmentType: string;
}

/**
 * Describes requirements for which no learner has a record, such as a misspelt assignment type, in one
 * sentence each.
 * @param asked "planned" reports every such requirement. "configured" reports only assignment types that are
 * unknown to a course with a grading policy or grades: before a course starts, nobody has grades
 */
export async function unknownRequirements(
  db: Knex,
  { courses }: EligibilityRules,
  asked: "planned" | "configured",
): Promise<string[]> {
  const required = courses.flatMap(({ courseKey, criteria, policy }): Requirement[] => {
    const types = [...(criteria?.grades?.byAssignmentType.keys() ?? [])];
    const isKnown = (type: string) => asked === "configured" && policy.has(type);
    const grades = types
      .filter((type) => !isKnown(type))
      .map((assignmentType) => ({ courseKey, assignmentType }));
    const needsCompletion = asked === "planned" && (criteria?.completion ?? 0) > 0;
    return [...grades, ...(needsCompletion ? [{ courseKey, assignmentType: "" }] : [])];
  });
  const missing = await withoutRecords(db, required, asked);
  return missing.slice(0, NAMED).map(({ courseKey, assignmentType }) => {
    if (assignmentType === "")
      return `${courseKey}: completion is required, and no learner has a record of it.`;
    const known = [...(courses.find((course) => course.courseKey === courseKey)?.policy.keys() ?? [])];
    const hint =
      known.length === 0 ? "" : ` Its grading policy has: ${known.map((type) => quoted(type)).join(", ")}.`;
    return `${courseKey}: ${quoted(assignmentType)} is required, and no learner has a grade of it.${hint}`;
  });
}

/** Runs one statement. For an existing assignment type, the first grade suffices. */
async function withoutRecords(
  db: Knex,
  required: readonly Requirement[],
  asked: "planned" | "configured",
): Promise<Requirement[]> {
  if (required.length === 0) return [];
  return queryRows<Requirement>(
    db,
    `select required.course_key as "courseKey", required.assignment_type as "assignmentType"
     from unnest(?::text[], ?::text[]) with ordinality as required (course_key, assignment_type, position)
     where case when required.assignment_type = ''
       then not exists (
         select from completions where completions.course_key = required.course_key and not is_deleted
       )
       else not exists (
         select from subsection_grades grade
         where grade.course_key = required.course_key and grade.assignment_type = required.assignment_type
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
      required.map(({ assignmentType }) => assignmentType),
      asked === "planned",
    ],
  );
}
