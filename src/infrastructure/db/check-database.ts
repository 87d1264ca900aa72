import type { Database } from "./database.js";
import { query, withConnection } from "./query.js";
import { inTransaction } from "./transaction.js";

/** SQL for a sort that exceeds its memory, so it has to write a temporary file to disk. */
const spill = `
  select count(*) from (
    select repeat('x', 1000) || number as text from generate_series(1, 200) as number order by text
  ) as sorted`;

/** Rejects if public reads are not answered: a new one, and those that are already running. */
export async function checkReads({ reads }: Database, signal: AbortSignal): Promise<void> {
  const read = withConnection(reads, signal, (connection) => query(connection, "look", "select 1", []));
  await Promise.all([reads.answered(), read]);
}

/**
 * Rejects if changes don't succeed: the server is read-only, its disk is full, commits hang, or all connections are
 * busy. It commits a message without a receiver to the write-ahead log; no table changes.
 */
export async function checkWrites(database: Database, signal: AbortSignal): Promise<void> {
  await inTransaction(database, signal, async (transaction) => {
    const { rows } = await transaction.raw("show transaction_read_only");
    if (rows[0].transaction_read_only === "on") {
      throw new Error("the database takes no changes: it is a standby, or was set to read-only");
    }
    await transaction.raw("set local work_mem = '64kB'");
    await transaction.raw(spill);
    await transaction.raw("select pg_logical_emit_message(true, 'learning-credentials', 'a look')");
  });
}
