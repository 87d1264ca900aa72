import { execute } from "#infrastructure/db/query.js";
import type { LearnerTransaction } from "./learner-transaction.js";

const isConcerned = "course_key = ? and not is_deleted and observed_at <= ?";

/**
 * Withdraws the completions of a course that no longer tracks completion, except completions observed later.
 * @returns the number of withdrawn records
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
