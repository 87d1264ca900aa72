import pg from "pg";

/** Tables locked against everyone else until they are released. */
export interface Lock {
  /** The number of statements that wait for it. */
  waiting(): Promise<number>;
  release(): Promise<void>;
}

/** Locks tables against everyone else in the database at `url`. */
export async function lockTables(url: string, ...tables: string[]): Promise<Lock> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`begin; lock table ${tables.join(", ")}`);
  return {
    async waiting() {
      // It does not read pg_stat_activity, whose content is fixed for the duration of a transaction.
      const { rows } = await client.query(
        `select distinct pid from pg_locks
         where not granted and pg_backend_pid() = any (pg_blocking_pids(pid))`,
      );
      return rows.length;
    },
    release: () => client.end(),
  };
}
