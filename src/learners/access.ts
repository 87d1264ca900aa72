/**
 * SQL: whether `asked.username` can access `asked.learning_context_key`. A course: enrolled in it, or it is a step of a
 * path that the learner can access. A path: enrolled, or the path is not invite-only.
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
