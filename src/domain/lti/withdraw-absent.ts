import type { Database } from "#infrastructure/db/database.js";
import { queryValues } from "#infrastructure/db/query.js";
import { writeRecords } from "../learners/import-records.js";
import { inLearnerTransaction, type LearnerTransaction } from "../learners/learner-transaction.js";
import { parsePlainRecord } from "../learners/parse-record.js";
import { batchOf } from "../learners/record-batch.js";
import { ltiOwner } from "./people.js";
import type { MembershipSource } from "./store-members.js";

/** Withdrawals need approval if they exceed both this number and this percentage of the course's learners. */
const MAX_UNAPPROVED = 5;
const MAX_UNAPPROVED_PERCENT = 10;

/**
 * Withdraws learners who are no longer in the platform's complete list, unless there are too many.
 * @param listed usernames of all learners in the list
 * @returns the number of withdrawn learners, and the number of withdrawals that await approval
 */
export async function withdrawAbsentMembers(
  database: Database,
  of: MembershipSource,
  listed: ReadonlySet<string>,
  acceptsWithdrawals: boolean,
  signal: AbortSignal,
): Promise<{ readonly withdrawn: number; readonly held: number }> {
  return inLearnerTransaction(database, signal, async (transaction) => {
    const enrolled = await queryValues<string>(
      transaction,
      `select username from enrollments join lti_people as person using (username)
       where person.registration_id = ? and learning_context_key = ? and is_active and not is_deleted`,
      [of.registrationId, of.contextKey],
    );
    const absent = enrolled.filter((username) => !listed.has(username));
    const limit = Math.max(MAX_UNAPPROVED, (enrolled.length * MAX_UNAPPROVED_PERCENT) / 100);
    if (absent.length > limit && !acceptsWithdrawals) return { withdrawn: 0, held: absent.length };
    return { withdrawn: await withdraw(transaction, of, absent), held: 0 };
  });
}

/**
 * Withdraws those of the given learners who are enrolled in the course and have an account on the platform. Returns
 * their number.
 */
export async function withdraw(
  transaction: LearnerTransaction,
  { registrationId, contextKey, observedAt }: MembershipSource,
  usernames: readonly string[],
): Promise<number> {
  const enrolled = await queryValues<string>(
    transaction,
    `select username from enrollments join lti_people as person using (username)
     where person.registration_id = ? and learning_context_key = ? and username = any (?::text[])
       and is_active and not is_deleted`,
    [registrationId, contextKey, [...usernames]],
  );
  const records = enrolled.map((username) =>
    parsePlainRecord(
      { kind: "enrollment", username, learningContextKey: contextKey, isActive: false },
      observedAt,
    ),
  );
  const { rows } = await writeRecords(transaction, batchOf(records), ltiOwner(registrationId));
  return rows.get("enrollment") ?? 0;
}
