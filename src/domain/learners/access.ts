import { type Knex, queryValue } from "#infrastructure/db/query.js";

/**
 * SQL: whether `requested.username` has access to `requested.learning_context_key`. A course is accessible to learners
 * who are enrolled in it, or who have access to a path that contains it. A path is accessible to learners who are
 * enrolled in it, or to everyone if it is not invite-only.
 */
export const hasAccess = `(
  ${isEnrolled("requested.learning_context_key")}
  or exists (
    select from learning_paths path
    where not path.is_deleted
      and (path.path_key = requested.learning_context_key
           or path.step_course_keys @> array[requested.learning_context_key])
      and (not path.invite_only or ${isEnrolled("path.path_key")})
  )
)`;

/** SQL: whether `requested.username` is actively enrolled. @param learningContextKey SQL */
export function isEnrolled(learningContextKey: string): string {
  return `exists (
    select from enrollments enrollment
    where enrollment.learning_context_key = ${learningContextKey}
      and enrollment.username = requested.username
      and enrollment.is_active and not enrollment.is_deleted
  )`;
}

/** SQL for `from`: a course itself, or the steps of a path, with their positions. */
export function coursesSql(learningContextKey: string): string {
  return `(
    select ${learningContextKey} as course_key, 1::bigint as position where ${learningContextKey} like 'course-v1:%'
    union all
    select step.course_key, step.position
    from learning_paths path
    cross join unnest(path.step_course_keys) with ordinality as step (course_key, position)
    where path.path_key = ${learningContextKey} and not path.is_deleted
  )`;
}

/** Counts learners with a record who are actively enrolled. */
export async function countEnrolled(db: Knex, learningContextKey: string): Promise<number> {
  return queryValue<number>(
    db,
    `select count(*)::integer as count from enrollments join learners using (username)
     where learning_context_key = ? and enrollments.is_active and not enrollments.is_deleted
       and not learners.is_deleted`,
    [learningContextKey],
  );
}
