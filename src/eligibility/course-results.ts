/**
 * SQL of what learners have attained in a course. Sums, products and rounding are `numeric`. In floating point,
 * one learner in a few thousand would miss a total that they reach exactly.
 */

/**
 * SQL: points earned of points possible as a percentage, to 30 decimals. Postgres would stop at about 16
 * digits.
 */
export function percentage(earned: string, possible: string): string {
  return `round(100 * ${earned}, 30) / ${possible}`;
}

/**
 * SQL: a percentage, or a sum of them, rounded to 6 decimals, half away from zero. As 1/3 is not a finite
 * decimal, an exact half of a millionth may come out slightly too low. Rounding to 24 decimals first corrects
 * that.
 */
export function rounded(expression: string): string {
  return `round(round(${expression}, 24), 6)`;
}

/** SQL: the platform's own total as a percentage, in a row of `course_grades`. */
export const PLATFORM_TOTAL = "round(100 * percent, 6)";

/** SQL for a learner and a course. */
interface Asked {
  readonly username: string;
  readonly courseKey: string;
}

/**
 * SQL for `from`: the grades of a learner in a course, in one row. The percentage of an assignment type is earned
 * / possible over its graded subsections.
 * - `grades`: percentages by assignment type, as json; null if nothing was graded
 * - `total`: the sum of percentage x weight; null if nothing that counts was graded
 * @param asked.course name of the row of `courses`, which has the grading policy
 * @param asked.condition SQL: whether they are asked for
 */
export function gradesIn({
  username,
  courseKey,
  course,
  condition = "true",
}: Asked & { readonly course: string; readonly condition?: string }): string {
  return `(
    select json_object_agg(grade.assignment_type, trim_scale(${rounded("grade.percentage")})) as grades,
      trim_scale(${rounded("sum(grade.percentage * policy.weight)")}) as total
    from (
      select assignment_type, ${percentage("sum(earned)", "sum(possible)")} as percentage
      from subsection_grades
      where course_key = ${courseKey} and username = ${username} and not is_deleted and ${condition}
      group by assignment_type
      having sum(possible) > 0
    ) grade
    left join unnest(${course}.assignment_types, ${course}.weights) as policy (assignment_type, weight)
      using (assignment_type)
  )`;
}

/** SQL: the platform's own total for a learner, as a percentage; null if it has stated none. */
export function platformTotalIn({ username, courseKey }: Asked): string {
  return `(
    select trim_scale(${PLATFORM_TOTAL}) from course_grades platform
    where platform.course_key = ${courseKey} and platform.username = ${username} and not platform.is_deleted
  )`;
}

/** SQL: how much of the course a learner has completed, as a fraction; null if that is unknown. */
export function completionIn({ username, courseKey }: Asked): string {
  return `(
    select trim_scale(round(percent, 6)) from completions completion
    where completion.course_key = ${courseKey} and completion.username = ${username} and not completion.is_deleted
  )`;
}

/** SQL for `from`: the keys of the courses of a context and their positions: itself, or the steps of a path. */
export function coursesOf(learningContextKey: string): string {
  return `(
    select ${learningContextKey} as course_key, 1::bigint as position where ${learningContextKey} like 'course-v1:%'
    union all
    select step.course_key, step.position
    from learning_paths path
    cross join unnest(path.step_course_keys) with ordinality as step (course_key, position)
    where path.path_key = ${learningContextKey} and not path.is_deleted
  )`;
}
