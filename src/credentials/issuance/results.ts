import type { Knex } from "knex";
import { queryRowOrThrow } from "../../db/query.js";
import type { Query } from "../../db/transaction.js";
import type { CourseRequirement } from "../../eligibility/eligible-learners.js";
import { percentage, rounded } from "../../eligibility/exact-percentage.js";
import type { Results } from "../results.js";

/**
 * Returns a query for what a learner has attained in the courses that count. Its result is jsonb in the form
 * of `Results`, or null if nothing is required in any course.
 * @param username SQL that gives the learner's username
 */
export function resultsOf(username: string, courses: readonly CourseRequirement[]): Query {
  const required = courses.flatMap(({ courseKey, criteria }) => (criteria ? [{ courseKey, criteria }] : []));
  if (required.length === 0) return { sql: "null::jsonb", bindings: [] };
  return {
    sql: `(select jsonb_build_object('courses', jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
          'course_key', course.course_key,
          'name', record.display_name,
          'grades', case when course.has_grades then
            coalesce(attained.grades, '{}') || jsonb_build_object('total', coalesce(
              case when course.uses_platform_total then trim_scale(round(100 * platform.percent, 6)) else attained.total end,
              0)) end,
          'completion', case when course.has_completion then coalesce(trim_scale(round(completion.percent, 6)), 0) end
        )) order by course.position))
      from unnest(?::text[], ?::boolean[], ?::boolean[], ?::boolean[]) with ordinality
        as course (course_key, has_grades, uses_platform_total, has_completion, position)
      left join courses as record on record.course_key = course.course_key and not record.is_deleted
      left join completions as completion on course.has_completion and completion.course_key = course.course_key
        and completion.username = ${username} and not completion.is_deleted
      left join course_grades as platform on course.uses_platform_total and platform.course_key = course.course_key
        and platform.username = ${username} and not platform.is_deleted
      left join lateral (
        select jsonb_object_agg(grade.assignment_type, trim_scale(${rounded("grade.percentage")})) as grades,
          trim_scale(${rounded("sum(grade.percentage * policy.weight)")}) as total
        from (
          select told.assignment_type, ${percentage("sum(told.earned)", "sum(told.possible)")} as percentage
          from subsection_grades as told
          where told.course_key = course.course_key and told.username = ${username} and not told.is_deleted
          group by told.assignment_type
          having sum(told.possible) > 0
        ) as grade
        left join unnest(record.assignment_types, record.weights) as policy (assignment_type, weight)
          on policy.assignment_type = grade.assignment_type
      ) as attained on course.has_grades)`,
    bindings: [
      required.map(({ courseKey }) => courseKey),
      required.map(({ criteria }) => criteria.grades !== undefined),
      required.map(({ criteria }) => criteria.grades?.usesPlatformTotal ?? false),
      required.map(({ criteria }) => criteria.completion !== undefined),
    ],
  };
}

/** Reads what a learner has attained in these courses. */
export async function readResults(
  transaction: Knex.Transaction,
  username: string,
  courses: readonly CourseRequirement[],
): Promise<Results | null> {
  const { sql, bindings } = resultsOf("asked.username", courses);
  const { results } = await queryRowOrThrow<{ results: Results | null }>(
    transaction,
    `select ${sql} as results from (select ?::text as username) as asked`,
    [...bindings, username],
  );
  return results;
}
