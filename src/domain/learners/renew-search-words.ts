import { searchWords } from "#foundation/text/search-words.js";
import { execute, type Knex, queryRow } from "#infrastructure/db/query.js";

/**
 * Recomputes the search words of a learner after a change of the username or of the corrected name. A trigger adds them
 * to the learner's credentials.
 */
export async function renewSearchWords(transaction: Knex.Transaction, username: string): Promise<void> {
  const learner = await queryRow<{ recorded: string; corrected: string | null; learnerId: string }>(
    transaction,
    `select full_name as recorded, corrected_name as corrected, learner_id as "learnerId"
     from learners where username = ? and not is_deleted`,
    [username],
  );
  if (!learner) return;
  const wordsOf = (name: string) => searchWords(name, username, learner.learnerId);
  await execute(
    transaction,
    `update learners set search_words = :recorded::tsvector || :corrected::tsvector,
       correction_words = :corrected::tsvector
     where username = :username`,
    {
      username,
      recorded: wordsOf(learner.recorded),
      corrected: learner.corrected === null ? "" : wordsOf(learner.corrected),
    },
  );
}
