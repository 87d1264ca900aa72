import { Problem } from "#foundation/errors.js";
import { quoted } from "#foundation/text/quoted.js";
import { searchWords } from "#foundation/text/search-words.js";
import type { Database } from "#infrastructure/db/database.js";
import { execute, queryRow } from "#infrastructure/db/query.js";
import type { Actor } from "#infrastructure/identity/actors.js";
import { findLearner, type KnownLearner } from "./learner-search-store.js";
import { inLearnerTransaction, type LearnerTransaction } from "./learner-transaction.js";

/** A name to print instead of the one that the record's owner reports. The reported name is kept. */
export interface NameCorrecting {
  readonly username: string;
  /** Empty: the reported name is printed again. */
  readonly fullName: string;
  readonly reason: string;
  /** The owner's name for the learner as the registrar saw it; undefined to skip the comparison. */
  readonly toldName: string | undefined;
  readonly correctedBy: Actor;
}

/**
 * Corrects a learner's name, or withdraws the correction.
 * @throws Problem `not-found` if the learner has no record; `aborted` if the owner reports another name than the
 * registrar saw
 */
export function correctName(
  database: Database,
  correcting: NameCorrecting,
  signal: AbortSignal,
): Promise<KnownLearner> {
  return inLearnerTransaction(database, signal, (transaction) => correctNameIn(transaction, correcting));
}

/** Does the same as `correctName`, as part of a larger transaction. */
export async function correctNameIn(
  transaction: LearnerTransaction,
  { username, fullName, reason, toldName, correctedBy }: NameCorrecting,
): Promise<KnownLearner> {
  const recorded = await queryRow<{ name: string; learnerId: string }>(
    transaction,
    `select full_name as name, learner_id as "learnerId" from learners
     where username = ? and not is_deleted for update`,
    [username],
  );
  if (!recorded) throw noRecord(username);
  if (toldName !== undefined && toldName !== recorded.name)
    throw new Problem(
      "aborted",
      `The name in the record of ${username} has changed from ${quoted(toldName)} to ${quoted(recorded.name)}. Check the new name.`,
    );
  // A trigger of the table removes a correction that equals the reported name.
  const corrected = fullName === "" ? recorded.name : fullName;
  const wordsOf = (name: string) => searchWords(name, username, recorded.learnerId);
  await execute(
    transaction,
    `update learners set corrected_name = nullif(:corrected, ''), correction_of = full_name,
       correction_words = :words::tsvector, search_words = :toldWords::tsvector || :words::tsvector,
       correction_reason = :reason, corrected_by = :by, corrected_at = now()
     where username = :username
       and (corrected_name, correction_of, correction_reason) is distinct from (:corrected, full_name, :reason)`,
    {
      username,
      corrected,
      words: wordsOf(corrected),
      toldWords: wordsOf(recorded.name),
      reason,
      by: correctedBy.name,
    },
  );
  return (await findLearner(transaction, username)) as KnownLearner;
}

/** Returns the error for a learner who has no record to correct. */
export function noRecord(username: string): Problem {
  return new Problem("not-found", `There is no record of a learner named ${quoted(username)}.`, {
    reason: "LEARNER_NOT_FOUND",
    facts: { username },
  });
}
