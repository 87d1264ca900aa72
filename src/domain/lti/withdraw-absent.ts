import type { Database } from "#infrastructure/db/database.js";
import { queryRows, queryValues } from "#infrastructure/db/query.js";
import { writeRecords } from "../learners/import-records.js";
import { inLearnerTransaction, type LearnerTransaction } from "../learners/learner-transaction.js";
import { parsePlainRecord } from "../learners/parse-record.js";
import { batchOf } from "../learners/record-batch.js";
import { isListOfOthers, withdrawalLimit } from "../learners/withdrawal-guard.js";
import { ltiOwner } from "./people.js";
import type { MembershipSource } from "./store-members.js";

const UNAPPROVED = { percent: 10, count: Number.POSITIVE_INFINITY };

/**
 * Withdraws learners who are no longer in the platform's complete list, unless there are too many. The list's learners
 * must already be enrolled.
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
    const enrolled = await queryRows<{ username: string; isNew: boolean }>(
      transaction,
      `select username, enrollments.observed_at >= ? as "isNew"
       from enrollments join lti_people as person using (username)
       where person.registration_id = ? and learning_context_key = ? and is_active and not is_deleted`,
      [of.observedAt, of.registrationId, of.contextKey],
    );
    const absent = enrolled.flatMap(({ username }) => (listed.has(username) ? [] : [username]));
    const earlier = enrolled.filter(({ username, isNew }) => !isNew || !listed.has(username));
    const isHeld =
      isListOfOthers(earlier.length, absent.length) ||
      absent.length > withdrawalLimit(enrolled.length, UNAPPROVED);
    if (isHeld && !acceptsWithdrawals) return { withdrawn: 0, held: absent.length };
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
