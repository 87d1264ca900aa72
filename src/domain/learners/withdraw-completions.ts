import { execute } from "#infrastructure/db/query.js";
import type { LearnerTransaction } from "./learner-transaction.js";

const isConcerned = "course_key = ? and not is_deleted and observed_at <= ?";

/**
 * Withdraws completion records in a course that no longer tracks completion. Records observed later stay.
 * @returns number of withdrawn records
 */
export function withdrawCompletions(
  transaction: LearnerTransaction,
  courseKey: string,
  observedAt: Date,
): Promise<number> {
  return execute(
    transaction,
    `update completions set is_deleted = true, percent = 0, observed_at = ? where ${isConcerned}`,
    [observedAt, courseKey, observedAt],
  );
}
