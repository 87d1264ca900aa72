import { type Knex, queryValues } from "#infrastructure/db/query.js";

/** Returns those of the keys that a row in the database refers to. */
export async function namedFiles(db: Knex, keys: readonly string[]): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  return new Set(
    await queryValues<string>(
      db,
      `select file_key as key from credentials where file_key = any (:keys::text[])
     union select invalidated_file_key from credentials where invalidated_file_key = any (:keys::text[])
     union select file_key from asset_contents where file_key = any (:keys::text[])`,
      { keys },
    ),
  );
}
