import { failedPrecondition, Problem, quoted } from "#foundation/errors.js";
import type { Database } from "#infrastructure/db/database.js";
import { findErased } from "./erased-learners.js";
import { insertNewLearners, type NewLearner } from "./insert-new-learners.js";
import { inLearnerTransaction } from "./learner-transaction.js";

/**
 * Creates a record for a learner whom no platform has reported.
 * @throws Problem `already-exists` if the username has a record, even a deleted one; `failed-precondition` if the
 * learner was erased
 */
export function createLearner(database: Database, learner: NewLearner, signal: AbortSignal): Promise<void> {
  return inLearnerTransaction(database, signal, async (transaction) => {
    const { username } = learner;
    if ((await insertNewLearners(transaction, [learner])).length > 0) return;
    if ((await findErased(transaction, [username])).has(username))
      throw failedPrecondition(`Learner ${quoted(username)} was erased: choose another username.`, {
        reason: "LEARNER_ERASED",
      });
    throw new Problem(
      "already-exists",
      `The username ${quoted(username)} was already used: choose another username.`,
      {
        field: "username",
      },
    );
  });
}
