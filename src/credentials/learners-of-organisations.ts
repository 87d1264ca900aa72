import { withinSql } from "../learners/organisations.js";

/**
 * SQL: true if a caller who is bounded to `:organisations` may know of the learner. That is so if the learner is
 * enrolled in a course or path of theirs, or has a credential for one.
 */
export function belongsToSql(username: string, organisations: readonly string[]): string {
  const isWithin = withinSql("learning_context_key", organisations, ":organisations");
  return `(exists (
      select from enrollments
      where enrollments.username = ${username} and not is_deleted and ${isWithin}
    ) or exists (
      select from credentials where credentials.username = ${username} and ${isWithin}
    ))`;
}
