import pg from "pg";

/**
 * Runs `work` while this process is the only one that holds the lock with this name. The lock belongs to a connection.
 * If the process is killed, the lock is released. If the connection is lost, `work` is aborted.
 * @param work receives a signal that aborts when the lock is lost, or `signal` aborts
 * @returns undefined if another process holds the lock
 */
export async function underSessionLock<T>(
  url: string,
  name: string,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const client = new pg.Client({
    connectionString: url,
    application_name: "learning-credentials lock",
    keepAlive: true,
  });
  const lost = new AbortController();
  client.on("error", (error) => lost.abort(error));
  client.on("end", () => lost.abort(new Error("The connection that held the lock was closed.")));
  await client.connect();
  try {
    const { rows } = await client.query("select pg_try_advisory_lock(hashtextextended($1, 0)) as is_held", [
      name,
    ]);
    if (!rows[0].is_held) return undefined;
    return await work(AbortSignal.any([signal, lost.signal]));
  } finally {
    await client.end().catch(() => {}); // fails if the connection is already lost
  }
}
