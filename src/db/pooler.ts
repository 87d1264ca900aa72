import type { Connection } from "./connection.js";
import type { Database } from "./database.js";
import { borrowConnection } from "./query.js";

/**
 * Whether a connection keeps its session: timeouts, prepared statements and LISTEN. A pooler in transaction
 * mode switches sessions when another client has taken the previous one.
 */
export function keepsSessions(database: Database): Promise<boolean> {
  return borrowConnection(database, async (one) => {
    const before = await sessionOf(one);
    return borrowConnection(database, async (other) => {
      await other.query("begin");
      const after = await sessionOf(one);
      await other.query("rollback");
      return before === after;
    });
  });
}

async function sessionOf(connection: Connection): Promise<string> {
  const { rows } = await connection.query(
    "select pg_backend_pid() || ' ' || current_setting('statement_timeout') as session",
  );
  return rows[0].session;
}
