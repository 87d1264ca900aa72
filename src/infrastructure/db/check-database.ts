import { type Database, inTransaction } from "./database.js";
import { query, withConnection } from "./query.js";

/** SQL for a sort that exceeds its memory and therefore writes a temporary file to disk. */
const spillingSort = `
  select count(*) from (
    select repeat('x', 1000) || number as text from generate_series(1, 200) as number order by text
  ) as sorted`;

/** Rejects unless the database answers a new public read, and all public reads that are already running. */
export async function checkReads({ reads }: Database, signal: AbortSignal): Promise<void> {
  const read = withConnection(reads, signal, (connection) => query(connection, "look", "select 1", []));
  await Promise.all([reads.answered(), read]);
}

/**
 * Rejects if changes don't succeed: the server is read-only, its disk is full, commits hang, or all connections are
 * busy. Commits a message to the write-ahead log. Nobody receives the message, and no table changes.
 */
export async function checkWrites(database: Database, signal: AbortSignal): Promise<void> {
  await inTransaction(database, signal, async (transaction) => {
    const { rows } = await transaction.raw("show transaction_read_only");
    if (rows[0].transaction_read_only === "on") {
      throw new Error("the database is read-only: it is a standby, or is set to read-only");
    }
    await transaction.raw("set local work_mem = '64kB'");
    await transaction.raw(spillingSort);
    await transaction.raw("select pg_logical_emit_message(true, 'learning-credentials', 'a look')");
  });
}
