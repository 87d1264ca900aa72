import { queryRows, queryValues } from "#infrastructure/db/query.js";
import { writeRecords } from "../learners/import-records.js";
import { inLearnerTransaction, type LearnerTransaction } from "../learners/learner-transaction.js";
import { batchOf } from "../learners/record-batch.js";
import type { MembersOf } from "./keep-members.js";
import type { Lti } from "./lti.js";
import { ltiOwner } from "./people.js";

/** Withdrawals up to this number, or up to this percentage of a course's learners, are always allowed. */
const ALWAYS_WITHDRAWN = 5;
const PERCENT_WITHDRAWN = 10;

/**
 * Withdraws people of the platform from a course if its complete list no longer contains them, unless there are too
 * many.
 * @param listed usernames of all learners in the list
 * @returns how many learners were withdrawn, and how many withdrawals were held back
 */
export async function withdrawAbsent(
  { database, parse }: Pick<Lti, "database" | "parse">,
  of: MembersOf,
  listed: ReadonlySet<string>,
  acceptsWithdrawals: boolean,
  signal: AbortSignal,
): Promise<{ readonly withdrawn: number; readonly held: number }> {
  return inLearnerTransaction(database, signal, async (transaction) => {
    const enrolled = await queryRows<{ username: string }>(
      transaction,
      `select username from enrollments join lti_people as person using (username)
       where person.registration_id = ? and learning_context_key = ? and is_active and not is_deleted`,
      [of.registrationId, of.contextKey],
    );
    const absent = enrolled.filter(({ username }) => !listed.has(username));
    const limit = Math.max(ALWAYS_WITHDRAWN, (enrolled.length * PERCENT_WITHDRAWN) / 100);
    if (absent.length > limit && !acceptsWithdrawals) return { withdrawn: 0, held: absent.length };
    const names = absent.map(({ username }) => username);
    return { withdrawn: await withdraw({ parse }, transaction, of, names), held: 0 };
  });
}

/**
 * Withdraws learners of the platform from the course in which they are enrolled. @returns number of withdrawn learners
 */
export async function withdraw(
  { parse }: Pick<Lti, "parse">,
  transaction: LearnerTransaction,
  { registrationId, contextKey, observedAt }: MembersOf,
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
    parse(
      { kind: "enrollment", username, learningContextKey: contextKey, isActive: false } as const,
      observedAt,
    ),
  );
  const { rows } = await writeRecords(transaction, batchOf(records), ltiOwner(registrationId));
  return rows.get("enrollment") ?? 0;
}
