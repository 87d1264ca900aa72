import type { Knex } from "knex";
import { queryRowOrThrow } from "../../db/query.js";
import type { Query } from "../../db/transaction.js";
import { completionIn, gradesIn, platformTotalIn } from "../../eligibility/course-results.js";
import type { EligibilityRules } from "../../eligibility/eligibility-rules.js";
import type { Results } from "../results.js";

/**
 * Returns a query for what a learner has attained in the courses that count. Its result is jsonb in the form
 * of `Results`, or null if nothing is required in any course.
 * @param username SQL that gives the learner's username
 */
export function resultsOf(username: string, { learningContextKey, courses }: EligibilityRules): Query {
  const required = courses.filter(({ criteria }) => criteria);
  if (required.length === 0) return { sql: "null::jsonb", bindings: [] };
  const inCourse = { username, courseKey: "required.course_key" };
  const total = `coalesce(case when platform_total then ${platformTotalIn(inCourse)} else attained.total end, 0)`;
  return {
    sql: `(
      select jsonb_build_object('courses', jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
        'course_key', required.course_key,
        'name', course.display_name,
        'grades', case when required.grades
          then coalesce(attained.grades::jsonb, '{}') || jsonb_build_object('total', ${total}) end,
        'grade_order', case when required.grades and required.course_key = ?
          then coalesce(to_jsonb(course.assignment_types), '[]') end,
        'completion', case when required.completion then coalesce(${completionIn(inCourse)}, 0) end
      )) order by required.position))
      from unnest(?::text[], ?::boolean[], ?::boolean[], ?::boolean[]) with ordinality
        as required (course_key, grades, platform_total, completion, position)
      left join courses as course on course.course_key = required.course_key and not course.is_deleted
      cross join lateral ${gradesIn({ ...inCourse, course: "course", condition: "required.grades" })} as attained
    )`,
    bindings: [
      learningContextKey,
      required.map(({ courseKey }) => courseKey),
      required.map(({ criteria }) => criteria?.grades !== undefined),
      required.map(({ criteria }) => criteria?.grades?.usesPlatformTotal === true),
      required.map(({ criteria }) => criteria?.completion !== undefined),
    ],
  };
}

/** Reads what a learner has attained in these courses. */
export async function readResults(
  transaction: Knex.Transaction,
  username: string,
  rules: EligibilityRules,
): Promise<Results | null> {
  const { sql, bindings } = resultsOf("asked.username", rules);
  const { results } = await queryRowOrThrow<{ results: Results | null }>(
    transaction,
    `select ${sql} as results from (select ?::text as username) as asked`,
    [...bindings, username],
  );
  return results;
}
