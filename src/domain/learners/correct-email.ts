import { Problem, quoted } from "#foundation/errors.js";
import type { Database } from "#infrastructure/db/database.js";
import { execute, queryRow } from "#infrastructure/db/query.js";
import type { Actor } from "#infrastructure/identity/actors.js";
import { noRecord } from "./correct-name.js";
import { findLearner, type KnownLearner } from "./learner-search-store.js";
import { inLearnerTransaction } from "./learner-transaction.js";

/** An email address to use instead of the address that the owner of the learner's record reports. */
interface EmailCorrecting {
  readonly username: string;
  /** Empty to use the reported address again. */
  readonly email: string;
  readonly reason: string;
  /** The reported address as the registrar saw it; undefined to skip the comparison. */
  readonly recordedEmail: string | undefined;
  readonly correctedBy: Actor;
}

/**
 * Corrects a learner's email address, or withdraws the correction.
 * @throws Problem `not-found` if the learner has no record; `aborted` if the reported address has changed
 */
export function correctEmail(
  database: Database,
  { username, email, reason, recordedEmail, correctedBy }: EmailCorrecting,
  signal: AbortSignal,
): Promise<KnownLearner> {
  return inLearnerTransaction(database, signal, async (transaction) => {
    const record = await queryRow<{ email: string }>(
      transaction,
      "select email from learners where username = ? and not is_deleted for update",
      [username],
    );
    if (!record) throw noRecord(username);
    if (recordedEmail !== undefined && recordedEmail !== record.email)
      throw new Problem(
        "aborted",
        `The email address in the record of ${username} has changed from ${quoted(recordedEmail)} to ${quoted(record.email)}. Check the new address.`,
      );
    // If the correction is empty or equals the reported address, a trigger removes it.
    await execute(
      transaction,
      `update learners set corrected_email = nullif(:email, ''), email_correction_of = email,
         email_correction_reason = :reason, email_corrected_by = :by, email_corrected_at = now()
       where username = :username
         and (corrected_email, email_correction_of, email_correction_reason)
           is distinct from (:email, email, :reason)`,
      { username, email, reason, by: correctedBy.name },
    );
    return (await findLearner(transaction, username)) as KnownLearner;
  });
}
