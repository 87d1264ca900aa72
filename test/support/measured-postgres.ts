import pg from "pg";
import { type InstalledPostgres, startInstalledPostgres } from "./installed-postgres.js";

/** Costs of a statement in all its calls since the last reset. */
export interface StatementCost {
  readonly sql: string;
  readonly calls: number;
  /** Blocks of tables and indexes that were read, cached or not. */
  readonly blocks: number;
  /** Functions that JIT has compiled. */
  readonly compiled: number;
}

/** A PostgreSQL that measures what each statement costs, including statements within functions. */
export interface MeasuredPostgres extends InstalledPostgres {
  /**
   * Creates an empty database in which costs can be read.
   * @returns its URL
   */
  create(): Promise<string>;
  reset(url: string): Promise<void>;
  costs(url: string): Promise<StatementCost[]>;
}

/** Returns undefined, and prints the reason, if no PostgreSQL is installed. */
export async function startMeasuredPostgres(
  settings: Readonly<Record<string, string>> = {},
): Promise<MeasuredPostgres | undefined> {
  const postgres = await startInstalledPostgres({
    settings: {
      shared_preload_libraries: "pg_stat_statements",
      "pg_stat_statements.track": "all",
      "pg_stat_statements.max": "10000",
      ...settings,
    },
  });
  if (!postgres) return undefined;
  const admin = new pg.Client(postgres.url);
  await admin.connect();
  await admin.query("create extension pg_stat_statements");
  const nameOf = (url: string) => new URL(url).pathname.slice(1);
  return {
    ...postgres,
    async reset(url) {
      await admin.query(
        "select pg_stat_statements_reset(0, (select oid from pg_database where datname = $1), 0)",
        [nameOf(url)],
      );
    },
    async costs(url) {
      const { rows } = await admin.query<StatementCost>(
        `select min(query) as sql, sum(calls)::float8 as calls,
           coalesce(sum(shared_blks_hit + shared_blks_read + local_blks_hit + local_blks_read) filter (where toplevel), 0)::float8
             as blocks, -- those of a function's statements are among its caller's
           sum(jit_functions)::float8 as compiled
         from pg_stat_statements
         where dbid = (select oid from pg_database where datname = $1)
         group by queryid order by blocks desc`,
        [nameOf(url)],
      );
      return rows;
    },
    async stop() {
      await admin.end();
      await postgres.stop();
    },
  };
}
