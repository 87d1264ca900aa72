import { execute } from "#infrastructure/db/query.js";
import type { LearnerTransaction } from "./learner-transaction.js";

const isConcerned = "course_key = ? and usage_key = any (?::text[]) and not is_deleted and observed_at <= ?";

/**
 * Withdraws grades of subsections that the course no longer has, except grades observed later.
 * @returns the number of withdrawn grades
 */
export function withdrawSubsections(
  transaction: LearnerTransaction,
  courseKey: string,
  usageKeys: readonly string[],
  observedAt: Date,
): Promise<number> {
  return execute(
    transaction,
    `update subsection_grades
     set is_deleted = true, assignment_type = '', earned = 0, possible = 0, observed_at = ?
     where ${isConcerned}`,
    [observedAt, courseKey, usageKeys, observedAt],
  );
}
