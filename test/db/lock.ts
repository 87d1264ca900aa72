import pg from "pg";

/** Tables that nobody else can read or write until they are released. */
export interface Lock {
  /** How many statements wait for it. */
  waiting(): Promise<number>;
  release(): Promise<void>;
}

/** Takes tables away from everybody else in the database at `url`. */
export async function lockTables(url: string, ...tables: string[]): Promise<Lock> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`begin; lock table ${tables.join(", ")}`);
  return {
    async waiting() {
      // Not pg_stat_activity, which shows the same for as long as this transaction lasts.
      const { rows } = await client.query(
        `select distinct pid from pg_locks
         where not granted and pg_backend_pid() = any (pg_blocking_pids(pid))`,
      );
      return rows.length;
    },
    release: () => client.end(),
  };
}
