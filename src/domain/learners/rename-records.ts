import type { Knex } from "knex";
import { searchWords } from "#foundation/text/search-words.js";
import { execute, queryRow } from "#infrastructure/db/query.js";
import { learnerTables } from "./record-tables.js";

/** A username, and the one that takes its place. */
export interface Rename {
  readonly username: string;
  readonly newUsername: string;
}

/** Gives records to the new username. What is already known under it stays. */
export async function renameRecords(transaction: Knex.Transaction, rename: Rename): Promise<void> {
  for (const { name, keyNames } of learnerTables) {
    const same = keyNames.map((key) =>
      key === "username" ? "other.username = :newUsername" : `other.${key} = renamed.${key}`,
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

/** A trigger adds the words of a learner to those of the credentials. */
async function renewSearchWords(transaction: Knex.Transaction, username: string): Promise<void> {
  const learner = await queryRow<{ fullName: string; learnerId: string }>(
    transaction,
    `select concat_ws(' ', full_name, corrected_name) as "fullName", learner_id as "learnerId"
     from learners where username = ? and not is_deleted`,
    [username],
  );
  if (!learner) return;
  const words = searchWords(learner.fullName, username, learner.learnerId);
  await execute(transaction, "update learners set search_words = ?::tsvector where username = ?", [
    words,
    username,
  ]);
}
