import { execute, type Knex, queryRowOrThrow } from "#infrastructure/db/query.js";
import { learnerTables } from "./record-tables.js";

/** Number of records by table, including withdrawn records. */
export type RecordCounts = Readonly<Record<string, number>>;

export async function countRecords(db: Knex, username: string): Promise<RecordCounts> {
  const counts = learnerTables.map(
    ({ name }) => `(select count(*) from ${name} where username = :username) as ${name}`,
  );
  return queryRowOrThrow<RecordCounts>(db, `select ${counts.join(", ")}`, { username });
}

export async function deleteRecords(transaction: Knex.Transaction, username: string): Promise<void> {
  for (const { name } of learnerTables)
    await execute(transaction, `delete from ${name} where username = ?`, [username]);
}
