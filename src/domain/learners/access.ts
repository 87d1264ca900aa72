import type { Knex } from "knex";
import { queryValue } from "#infrastructure/db/query.js";

/**
 * SQL: whether `requested.username` has access to `requested.learning_context_key`. A course is accessible to
 * learners enrolled in it, or through a path that contains it and is accessible itself. A path is accessible
 * to learners enrolled in it, or to everyone if it is not invite-only.
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

/** SQL: true if `requested.username` is actively enrolled in the course or path whose key the expression yields. */
export function isEnrolled(learningContextKey: string): string {
  return `exists (
    select from enrollments enrollment
    where enrollment.learning_context_key = ${learningContextKey}
      and enrollment.username = requested.username
      and enrollment.is_active and not enrollment.is_deleted
  )`;
}

/** SQL for `from`: the course keys and positions of a course (the course itself) or of a path (its steps). */
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

/** Counts learners with a record who are actively enrolled in a course or path. */
export async function countEnrolled(db: Knex, learningContextKey: string): Promise<number> {
  return queryValue<number>(
    db,
    `select count(*)::integer as count from enrollments join learners using (username)
     where learning_context_key = ? and enrollments.is_active and not enrollments.is_deleted
       and not learners.is_deleted`,
    [learningContextKey],
  );
}
