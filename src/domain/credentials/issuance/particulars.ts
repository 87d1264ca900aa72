import type { Particulars, UsedParticulars } from "#formats/rendering/generator.js";
import type { Query } from "#infrastructure/db/database.js";
import { type Knex, queryRows } from "#infrastructure/db/query.js";
import { completionIn, gradesIn, ofPlatformIn, platformTotalIn } from "../../eligibility/course-results.js";
import { parseLearningContextKey } from "../../learners/learning-context-key.js";
import { withGivenFacts } from "../given-facts.js";

/** The values that documents print, and the source of the learner's grade. */
export interface RequestedParticulars extends UsedParticulars {
  /** Whether the grade is the platform's total in `course_grade` records (option `use_platform_total`). */
  readonly usesPlatformTotal: boolean;
}

/**
 * Returns a query for the values from records and options that a credential prints, as jsonb or null. The grade is
 * present once an assignment with weight has been graded. A learning path has no grade.
 * @param username SQL
 */
export function particularsOf(
  username: string,
  learningContextKey: string,
  used: RequestedParticulars,
): Query {
  const parts = [
    ...statedParts(used),
    ...recordParts(username, learningContextKey, used),
    ...resultParts(username, learningContextKey, used),
    ...pathParts(learningContextKey, used),
  ];
  if (parts.length === 0) return { sql: "null::jsonb", bindings: [] };
  return {
    sql: `nullif(${parts.map(({ sql }) => `coalesce(${sql}, '{}')`).join(" || ")}, '{}')`,
    bindings: parts.flatMap(({ bindings }) => bindings),
  };
}

function statedParts({ stated }: RequestedParticulars): Query[] {
  if (Object.keys(stated).length === 0) return [];
  return [{ sql: "?::jsonb", bindings: [JSON.stringify(stated)] }];
}

/** Returns queries for the values of the learner's record and enrolment. */
function recordParts(
  username: string,
  learningContextKey: string,
  { learnerId, learner, enrollment }: RequestedParticulars,
): Query[] {
  const parts: Query[] = [];
  if (learnerId || learner.length > 0) {
    parts.push({
      sql: `(select jsonb_strip_nulls(jsonb_build_object(
          'learner_id', case when ?::boolean then nullif(record.learner_id, '') end, 'learner', ${selectedAttributesSql("record.attributes")}))
        from learners as record where record.username = ${username} and not record.is_deleted)`,
      bindings: [learnerId, learner],
    });
  }
  if (enrollment.length > 0) {
    parts.push({
      sql: `(select jsonb_strip_nulls(jsonb_build_object('enrollment', ${selectedAttributesSql("record.attributes")}))
        from enrollments as record
        where record.learning_context_key = ? and record.username = ${username} and not record.is_deleted)`,
      bindings: [enrollment, learningContextKey],
    });
  }
  return parts;
}

/** Returns queries for the learner's results in a course. */
function resultParts(
  username: string,
  courseKey: string,
  { grade: isGradeUsed, grades, letter, passed, completion, usesPlatformTotal }: RequestedParticulars,
): Query[] {
  const parts: Query[] = [];
  const grade = isGradeUsed && !usesPlatformTotal;
  if (grade || grades.length > 0) {
    parts.push({
      sql: `(select jsonb_strip_nulls(jsonb_build_object(
          'grade', case when ?::boolean then attained.total end, 'grades', ${selectedAttributesSql("attained.grades::jsonb")}))
        from (select ?::text as course_key) as printed
        left join courses as course on course.course_key = printed.course_key and not course.is_deleted
        cross join lateral ${gradesIn({ username, courseKey: "printed.course_key", course: "course" })} as attained)`,
      bindings: [grade, grades, courseKey],
    });
  }
  if (isGradeUsed && usesPlatformTotal) {
    parts.push({
      sql: `jsonb_strip_nulls(jsonb_build_object('grade', ${platformTotalIn({ username, courseKey: "?" })}))`,
      bindings: [courseKey],
    });
  }
  if (letter || passed) {
    const of = (column: "letter" | "passed") =>
      ofPlatformIn(column, { username, courseKey: "printed.course_key" });
    parts.push({
      sql: `(select jsonb_strip_nulls(jsonb_build_object(
          'letter', case when ?::boolean then nullif(${of("letter")}, '') end,
          'passed', case when ?::boolean then ${of("passed")} end))
        from (select ?::text as course_key) as printed)`,
      bindings: [letter, passed, courseKey],
    });
  }
  if (completion) {
    const completed = completionIn({ username, courseKey: "?" });
    parts.push({
      sql: `jsonb_strip_nulls(jsonb_build_object('completion', trim_scale(100 * ${completed})))`,
      bindings: [courseKey],
    });
  }
  return parts;
}

/** Returns queries for the values of a learning path: the number of its steps, and its category. */
function pathParts(pathKey: string, { steps }: RequestedParticulars): Query[] {
  const parts: Query[] = [];
  if (steps) {
    parts.push({
      sql: `(select jsonb_build_object('steps', cardinality(step_course_keys))
        from learning_paths as record where record.path_key = ? and not record.is_deleted)`,
      bindings: [pathKey],
    });
  }
  if (parseLearningContextKey(pathKey).kind === "path") {
    parts.push({
      sql: `(select jsonb_build_object('category', category) from learning_paths as record
        where record.path_key = ? and category <> '' and not record.is_deleted)`,
      bindings: [pathKey],
    });
  }
  return parts;
}

function selectedAttributesSql(attributes: string): string {
  return `(select jsonb_object_agg(key, value) from jsonb_each(${attributes}) where key = any (?::text[]))`;
}

export async function readParticulars(
  db: Knex,
  usernames: readonly string[],
  learningContextKey: string,
  used: RequestedParticulars,
): Promise<ReadonlyMap<string, Particulars | null>> {
  const { sql, bindings } = particularsOf("requested.username", learningContextKey, used);
  if (bindings.length === 0) return new Map(); // most designs print no particulars
  const rows = await queryRows<{ username: string; particulars: Particulars | null }>(
    db,
    `select username, ${sql} as particulars from unnest(?::text[]) as requested (username)`,
    [...bindings, usernames],
  );
  return new Map(rows.map((row) => [row.username, row.particulars]));
}

/**
 * Returns the values that a successor prints: the original results, facts from the list with which the credential was
 * issued, and otherwise values from current records and options.
 * @param now values from current records and options
 * @param used the values that the design prints now
 */
export function particularsOfSuccessor(
  now: Particulars | null,
  before: Particulars | null,
  used: UsedParticulars,
): Particulars | null {
  const earned = before?.grades ?? {};
  const matching = used.grades
    .filter((type) => Object.hasOwn(earned, type))
    .map((type) => [type, earned[type]]);
  const merged = withGivenFacts(
    {
      ...now,
      ...(used.grade && before?.grade !== undefined && { grade: before.grade }),
      ...(used.letter && before?.letter !== undefined && { letter: before.letter }),
      ...(used.passed && before?.passed !== undefined && { passed: before.passed }),
      ...(used.completion && before?.completion !== undefined && { completion: before.completion }),
      ...(used.steps && before?.steps !== undefined && { steps: before.steps }),
      ...(matching.length > 0 && { grades: { ...now?.grades, ...Object.fromEntries(matching) } }),
    },
    before,
  );
  return Object.keys(merged).length === 0 ? null : merged;
}
