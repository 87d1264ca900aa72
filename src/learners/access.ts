/**
 * SQL: whether `asked.username` has access to `asked.learning_context_key`. A course is accessible to
 * learners enrolled in it, or through a path that contains it and is accessible itself. A path is accessible
 * to learners enrolled in it, or to everybody if it is not invite-only.
 */
export const hasAccess = `(
  ${isEnrolled("asked.learning_context_key")}
  or exists (
    select from learning_paths path
    where not path.is_deleted
      and (path.path_key = asked.learning_context_key
           or path.step_course_keys @> array[asked.learning_context_key])
      and (not path.invite_only or ${isEnrolled("path.path_key")})
  )
)`;

/** SQL: whether `asked.username` is actively enrolled in the context whose key the expression gives. */
export function isEnrolled(learningContextKey: string): string {
  return `exists (
    select from enrollments enrollment
    where enrollment.learning_context_key = ${learningContextKey}
      and enrollment.username = asked.username
      and enrollment.is_active and not enrollment.is_deleted
  )`;
}
