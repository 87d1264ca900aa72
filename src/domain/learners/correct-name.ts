import { Problem, quoted } from "#foundation/errors.js";
import type { Database } from "#infrastructure/db/database.js";
import { execute, queryRow } from "#infrastructure/db/query.js";
import type { Actor } from "#infrastructure/identity/actors.js";
import { markContextsOf } from "./changed-contexts.js";
import { findLearner, type KnownLearner } from "./learner-search-store.js";
import { inLearnerTransaction, type LearnerTransaction } from "./learner-transaction.js";
import { renewSearchWords } from "./renew-search-words.js";

/** A name to print instead of the name that the owner of the learner's record reports. */
export interface NameCorrecting {
  readonly username: string;
  /** Empty to print the reported name again. */
  readonly fullName: string;
  readonly reason: string;
  /** The reported name as the registrar saw it; undefined to skip the comparison. */
  readonly recordedName: string | undefined;
  readonly correctedBy: Actor;
}

/**
 * Corrects a learner's name, or withdraws the correction.
 * @throws Problem `not-found` if the learner has no record; `aborted` if the reported name has changed
 */
export function correctName(
  database: Database,
  correcting: NameCorrecting,
  signal: AbortSignal,
): Promise<KnownLearner> {
  return inLearnerTransaction(database, signal, (transaction) => correctNameIn(transaction, correcting));
}

/** Corrects a name as part of a larger transaction. */
export async function correctNameIn(
  transaction: LearnerTransaction,
  { username, fullName, reason, recordedName, correctedBy }: NameCorrecting,
): Promise<KnownLearner> {
  const recorded = await queryRow<{ name: string }>(
    transaction,
    "select full_name as name from learners where username = ? and not is_deleted for update",
    [username],
  );
  if (!recorded) throw noRecord(username);
  if (recordedName !== undefined && recordedName !== recorded.name)
    throw new Problem(
      "aborted",
      `The name in the record of ${username} has changed from ${quoted(recordedName)} to ${quoted(recorded.name)}. Check the new name.`,
    );
  // If the correction equals the reported name, a trigger removes it.
  const corrected = fullName === "" ? recorded.name : fullName;
  await execute(
    transaction,
    `update learners set corrected_name = nullif(:corrected, ''), correction_of = full_name,
       correction_reason = :reason, corrected_by = :by, corrected_at = now()
     where username = :username
       and (corrected_name, correction_of, correction_reason) is distinct from (:corrected, full_name, :reason)`,
    { username, corrected, reason, by: correctedBy.name },
  );
  await renewSearchWords(transaction, username);
  await markContextsOf(transaction, [username]);
  return (await findLearner(transaction, username)) as KnownLearner;
}

export function noRecord(username: string): Problem {
  return new Problem("not-found", `There is no record of a learner named ${quoted(username)}.`, {
    reason: "LEARNER_NOT_FOUND",
    facts: { username },
  });
}
