import { searchWords } from "#foundation/text/search-words.js";
import { execute, type Knex, queryRow } from "#infrastructure/db/query.js";
import { learnerTables } from "./record-tables.js";

export interface Rename {
  readonly username: string;
  readonly newUsername: string;
}

/**
 * Moves records to the new username. Where a record already exists under the new username, that record is kept, unless
 * it was withdrawn.
 */
export async function renameRecords(transaction: Knex.Transaction, rename: Rename): Promise<void> {
  for (const { name, keyNames } of learnerTables) {
    const same = keyNames.map((key) =>
      key === "username" ? "other.username = :newUsername" : `other.${key} = renamed.${key}`,
    );
    await execute(
      transaction,
      `delete from ${name} as other using ${name} as renamed
       where other.is_deleted and renamed.username = :username and not renamed.is_deleted and ${same.join(" and ")}`,
      { ...rename },
    );
    await execute(
      transaction,
      `update ${name} as renamed set username = :newUsername
       where username = :username and not exists (select from ${name} other where ${same.join(" and ")})`,
      { ...rename },
    );
    await execute(transaction, `delete from ${name} where username = :username`, { ...rename });
  }
  await renewSearchWords(transaction, rename.newUsername);
}

/** Recomputes the learner's search words. A trigger copies them to the learner's credentials. */
async function renewSearchWords(transaction: Knex.Transaction, username: string): Promise<void> {
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
