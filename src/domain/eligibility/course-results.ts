import { statusSql } from "#foundation/credential-status.js";
import type { Query } from "#infrastructure/db/database.js";
import { type Knex, queryValue } from "#infrastructure/db/query.js";
import { isEnrolled } from "../learners/access.js";
import type { Criteria } from "./criteria.js";
import { isHeld } from "./held-credentials.js";
import { heldIn, type ResolvedRequirement } from "./resolve-requirement.js";

/*
 * SQL for learners' results in a course. Sums, products and rounding use `numeric`. In floating point, one learner in a
 * few thousand would miss a total that they reach exactly.
 */

/** SQL: a percentage with 30 decimals. Without rounding, Postgres would stop at about 16 digits. */
export function percentage(earned: string, possible: string): string {
  return `round(100 * ${earned}, 30) / ${possible}`;
}

/**
 * SQL: a percentage, or a sum of percentages, rounded to 6 decimals, half away from zero. It is first rounded to 24
 * decimals. Otherwise, an exact half of a millionth could come out slightly too low, because fractions such as 1/3 are
 * not finite decimals.
 */
export function roundedSql(expression: string): string {
  return `round(round(${expression}, 24), 6)`;
}

/** SQL: the platform's own total as a percentage, for a row of `course_grades`. */
export const PLATFORM_TOTAL_SQL = "round(100 * percent, 6)";

interface PageKey {
  readonly username: string;
  readonly courseKey: string;
}

/**
 * SQL for `from`: a learner's grades in a course, in one row. The percentage of an assignment type is earned / possible
 * over its graded subsections.
 * - `grades`: percentages by assignment type, as json; null if nothing was graded
 * - `total`: the sum of percentage x weight; null if nothing with a weight was graded
 * @param requested.course name of the row of `courses` with the grading policy
 */
export function gradesIn({ username, courseKey, course }: PageKey & { readonly course: string }): string {
  // A join with the policy would take 50 % longer.
  const weight = `${course}.weights[array_position(${course}.assignment_types, grade.assignment_type)]`;
  return `(
    select json_object_agg(grade.assignment_type, trim_scale(${roundedSql("grade.percentage")})) as grades,
      trim_scale(${roundedSql(`sum(grade.percentage * ${weight})`)}) as total
    from (
      select assignment_type, ${percentage("sum(earned)", "sum(possible)")} as percentage
      from subsection_grades
      where course_key = ${courseKey} and username = ${username} and not is_deleted
      group by assignment_type
      having sum(possible) > 0
    ) grade
  )`;
}

/** SQL: the platform's total as a percentage; null if unknown. */
export function platformTotalIn({ username, courseKey }: PageKey): string {
  return `(
    select trim_scale(${PLATFORM_TOTAL_SQL}) from course_grades platform
    where platform.course_key = ${courseKey} and platform.username = ${username} and not platform.is_deleted
  )`;
}

/** SQL: the completion as a fraction; null if unknown. */
export function completionIn({ username, courseKey }: PageKey): string {
  return `(
    select trim_scale(round(percent, 6)) from completions completion
    where completion.course_key = ${courseKey} and completion.username = ${username} and not completion.is_deleted
  )`;
}

/** SQL: a column of the platform's result; null if unknown. */
export function ofPlatformIn(column: "passed" | "letter", { username, courseKey }: PageKey): string {
  return `(
    select ${column} from course_grades platform
    where platform.course_key = ${courseKey} and platform.username = ${username} and not platform.is_deleted
  )`;
}

export interface CourseProgress {
  readonly courseKey: string;
  readonly isEnrolled: boolean;
  /** Assignment types in the order of the grading policy. */
  readonly assignmentTypes: readonly string[];
  /** Percentages of attempted assignment types, rounded to 6 decimals. */
  readonly grades: Readonly<Record<string, number>>;
  /** Sum of percentage x weight, rounded to 6 decimals. */
  readonly total: number;
  /** The platform's own total, a percentage rounded to 6 decimals; 0 if unknown. */
  readonly platformTotal: number;
  /** A fraction 0..1, rounded to 6 decimals. */
  readonly completion: number;
  /** Whether the platform considers the course passed; null if unknown. */
  readonly passed: boolean | null;
  /** The platform's letter grade; empty if unknown. */
  readonly letter: string;
  /** Letter grades, best first. */
  readonly letterGrades: readonly string[];
}

/** Returns an SQL expression for the JSON of a `CourseProgress`. */
export function courseProgress(username: string, courseKey: string): string {
  const inCourse = { username, courseKey };
  return `(
    select json_build_object(
      'courseKey', ${courseKey},
      'isEnrolled', ${isEnrolled(courseKey)},
      'assignmentTypes', coalesce(record.assignment_types, '{}'),
      'grades', coalesce(attained.grades, '{}'),
      'total', coalesce(attained.total, 0),
      'platformTotal', coalesce(trim_scale(${PLATFORM_TOTAL_SQL}), 0),
      'completion', coalesce(${completionIn(inCourse)}, 0),
      'passed', platform.passed,
      'letter', coalesce(platform.letter, ''),
      'letterGrades', coalesce(record.letter_grades, '{}')
    )
    from (select) as one
    left join courses record on record.course_key = ${courseKey} and not record.is_deleted
    left join course_grades platform
      on platform.course_key = ${courseKey} and platform.username = ${username} and not platform.is_deleted
    cross join lateral ${gradesIn({ ...inCourse, course: "record" })} as attained
  )`;
}

/**
 * A learner's results at the time when a credential was issued, as far as its requirements use them. Stored as JSON in
 * this form.
 */
export interface Results {
  /** The course itself, or the steps of the learning path in order. */
  readonly courses: readonly CourseResult[];
  /** Required credentials that the learner held. */
  readonly held?: readonly HeldResult[];
  /** Names of credentials in the requirements, by `type:{id}` and `configuration:{id}`. */
  readonly named?: Readonly<Record<string, string>>;
}

/** A credential that another credential required. */
export interface HeldResult {
  readonly uuid: string;
  readonly verify_uuid: string;
  readonly credential_type: string;
  readonly learning_context_name: string;
}

export interface CourseResult {
  readonly course_key: string;
  /** Absent if the course has no record. */
  readonly name?: string;
  /** Percentages of attempted assignment types, and `total`; present if grades are required. */
  readonly grades?: Readonly<Record<string, number>>;
  /**
   * Assignment types in the order of the grading policy. They are listed because the database doesn't keep the order of
   * an object's keys. Absent in steps of learning paths.
   */
  readonly grade_order?: readonly string[];
  /** A fraction 0..1; present if completion is required. */
  readonly completion?: number;
  /** The platform's verdict; present if required and known. */
  readonly passed?: boolean;
  /** The platform's letter grade; present if required and known. */
  readonly letter?: string;
  /** All letter grades, best first; present if a letter grade is required and the scale is known. */
  readonly letter_grades?: readonly string[];
}

interface Requirements {
  readonly learningContextKey: string;
  readonly courses: readonly { readonly courseKey: string; readonly criteria: Criteria | undefined }[];
  /**
   * The requirement tree, if there is one. A learner may meet the tree without having results in
   * all of its courses. Courses without results are omitted from `courses`.
   */
  readonly requirement?: ResolvedRequirement;
}

/**
 * Returns a query for a learner's results: jsonb in the form of `Results`, or null if nothing is required.
 * @param username SQL
 */
export function resultsOf(
  username: string,
  { learningContextKey, courses, requirement }: Requirements,
): Query {
  const results = courses.flatMap(({ courseKey, criteria }) =>
    criteria ? [resultOf(username, courseKey, criteria, courseKey !== learningContextKey)] : [],
  );
  const held = requirement ? heldOf(username, requirement) : undefined;
  const named = requirement ? namesOf(requirement) : undefined;
  if (results.length === 0 && !held) return { sql: "null::jsonb", bindings: [] };
  const all = `to_jsonb(array[${results.map(({ sql }) => sql).join(", ")}]::jsonb[])`;
  const attained = `(
    select coalesce(jsonb_agg(result order by position), '[]')
    from jsonb_array_elements(${all}) with ordinality as each (result, position)
    where result ->> 'passed' is not null or result ->> 'letter' is not null
      or (result ->> 'completion')::numeric > 0
      or (result -> 'grades') - 'total' <> '{}' or (result #>> '{grades,total}')::numeric > 0
  )`;
  return {
    sql: `jsonb_strip_nulls(jsonb_build_object('courses', ${requirement ? attained : all}, 'held', ${held?.sql ?? "null"}, 'named', ${named?.sql ?? "null"}))`,
    bindings: [
      ...results.flatMap(({ bindings }) => bindings),
      ...(held?.bindings ?? []),
      ...(named?.bindings ?? []),
    ],
  };
}

/** Selects the required credentials that the learner holds. Returns `undefined` if the tree requires no credentials. */
function heldOf(username: string, requirement: ResolvedRequirement): Query | undefined {
  const required = heldIn(requirement);
  if (required.length === 0) return undefined;
  return {
    sql: `(
      select jsonb_agg(jsonb_build_object(
        'uuid', held.uuid, 'verify_uuid', held.verify_uuid, 'credential_type', held.credential_type,
        'learning_context_name', held.learning_context_name
      ) order by held.id)
      from credentials held
      where held.username = ${username} and ${statusSql("held").isInForce} and (
        ${required.map((each) => isHeld("held", each).sql).join(" or ")}
      )
    )`,
    bindings: required.flatMap((each) => isHeld("held", each).bindings),
  };
}

/** Selects the names of the credentials in a tree. Returns `undefined` if the tree requires no credentials. */
function namesOf(requirement: ResolvedRequirement): Query | undefined {
  const required = heldIn(requirement).map(({ of }) => of);
  if (required.length === 0) return undefined;
  const typeIds = required.flatMap((of) => ("credentialTypeId" in of ? [of.credentialTypeId] : []));
  const configurationIds = required.flatMap((of) => ("configurationId" in of ? [of.configurationId] : []));
  return {
    sql: `(
      select jsonb_object_agg(key, name) from (
        select 'type:' || id as key, name from credential_types where id = any (?::integer[])
        union all
        select 'configuration:' || configuration.id, type.name from credential_configurations configuration
        join credential_types type on type.id = configuration.credential_type_id
        where configuration.id = any (?::integer[])
      ) as mentioned
    )`,
    bindings: [typeIds, configurationIds],
  };
}

function resultOf(
  username: string,
  courseKey: string,
  { grades, completion, passed, letter }: Criteria,
  isStep: boolean,
): Query {
  const inCourse = { username, courseKey: "required.course_key" };
  const fields = ["'course_key', required.course_key", "'name', course.display_name"];
  if (grades) {
    const total = grades.usesPlatformTotal ? platformTotalIn(inCourse) : "attained.total";
    fields.push(
      `'grades', coalesce(attained.grades::jsonb, '{}') || jsonb_build_object('total', coalesce(${total}, 0))`,
    );
    if (!isStep) fields.push("'grade_order', coalesce(to_jsonb(course.assignment_types), '[]')");
  }
  if (completion !== undefined) fields.push(`'completion', coalesce(${completionIn(inCourse)}, 0)`);
  if (passed) fields.push(`'passed', ${ofPlatformIn("passed", inCourse)}`);
  if (letter !== undefined)
    fields.push(
      `'letter', nullif(${ofPlatformIn("letter", inCourse)}, ''), 'letter_grades', to_jsonb(nullif(course.letter_grades, '{}'))`,
    );
  const attained = grades
    ? `cross join lateral ${gradesIn({ ...inCourse, course: "course" })} as attained`
    : "";
  return {
    sql: `(
      select jsonb_strip_nulls(jsonb_build_object(${fields.join(", ")}))
      from (select ?::text as course_key) as required
      left join courses as course on course.course_key = required.course_key and not course.is_deleted
      ${attained}
    )`,
    bindings: [courseKey],
  };
}

export async function readResults(
  transaction: Knex.Transaction,
  username: string,
  rules: Requirements,
): Promise<Results | null> {
  const { sql, bindings } = resultsOf("requested.username", rules);
  return queryValue<Results | null>(
    transaction,
    `select ${sql} as results from (select ?::text as username) as requested`,
    [...bindings, username],
  );
}
