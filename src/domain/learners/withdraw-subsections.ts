import { execute } from "#infrastructure/db/query.js";
import { markContextsChanged } from "./changed-contexts.js";
import type { LearnerTransaction } from "./learner-transaction.js";

/**
 * Withdraws grades of subsections that the course no longer has, except grades observed later.
 * @param observedAt null for the current time of the database
 * @returns the number of withdrawn grades
 */
export async function withdrawSubsections(
  transaction: LearnerTransaction,
  courseKey: string,
  usageKeys: readonly string[],
  observedAt: Date | null,
): Promise<number> {
  const withdrawn = await execute(
    transaction,
    `update subsection_grades
     set is_deleted = true, assignment_type = '', earned = 0, possible = 0, observed_at = seen.at
     from (select coalesce(:observedAt::timestamptz, now()) as at) seen
     where course_key = :courseKey and usage_key = any (:usageKeys::text[]) and not is_deleted and observed_at <= seen.at`,
    { observedAt, courseKey, usageKeys },
  );
  if (withdrawn > 0) await markContextsChanged(transaction, [courseKey]);
  return withdrawn;
}
