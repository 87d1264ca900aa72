import { type Knex, queryRows } from "#infrastructure/db/query.js";

/** Returns those of the keys that a row in the database refers to. */
export async function namedFiles(db: Knex, keys: readonly string[]): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  const rows = await queryRows<{ key: string }>(
    db,
    `select file_key as key from credentials where file_key = any (:keys::text[])
     union select invalidated_file_key from credentials where invalidated_file_key = any (:keys::text[])
     union select file_key from asset_contents where file_key = any (:keys::text[])`,
    { keys },
  );
  return new Set(rows.map(({ key }) => key));
}
