import { execute, type Knex } from "#infrastructure/db/query.js";
import { learnerTables } from "./record-tables.js";
import { renewSearchWords } from "./renew-search-words.js";

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
