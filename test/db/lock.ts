import pg from "pg";

/** Tables that are locked until they are released. */
export interface Lock {
  /** Returns the number of statements that wait for the lock. */
  waiting(): Promise<number>;
  release(): Promise<void>;
}

/** Locks tables of the database at `url` against all other access. */
export async function lockTables(url: string, ...tables: string[]): Promise<Lock> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`begin; lock table ${tables.join(", ")}`);
  return {
    async waiting() {
      // pg_stat_activity is not used, because its contents don't change during a transaction.
      const { rows } = await client.query(
        `select distinct pid from pg_locks
         where not granted and pg_backend_pid() = any (pg_blocking_pids(pid))`,
      );
      return rows.length;
    },
    release: () => client.end(),
  };
}
