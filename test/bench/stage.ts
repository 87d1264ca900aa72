import pg from "pg";
import { openDatabase } from "../../src/db/database.js";
import { migrateUp } from "../../src/db/migrate.js";

/** Where one figure is measured: a database of its own. */
export interface Stage {
  readonly databaseUrl: string;
  /** A connection to it. */
  readonly sql: pg.Client;
  /** Smaller amounts, for a quick look. */
  readonly isShort: boolean;
  /** Where CPU profiles of the service are wanted. */
  readonly profileDir: string | undefined;
  /** Has something stopped when the stage closes, before what was started earlier. */
  defer(release: () => Promise<void>): void;
  close(): Promise<void>;
}

/** Makes a migrated database in the Postgres at `serverUrl`. */
export async function openStage(
  serverUrl: string,
  name: string,
  options: Pick<Stage, "isShort" | "profileDir">,
): Promise<Stage> {
  const releases: (() => Promise<void>)[] = [];
  const server = await connect(serverUrl);
  await server.query(`create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const database = openDatabase(url.href);
  await migrateUp(database);
  await database.close();
  const sql = await connect(url.href);
  return {
    ...options,
    databaseUrl: url.href,
    sql,
    defer: (release) => void releases.push(release),
    async close() {
      for (let release = releases.pop(); release; release = releases.pop()) await release();
      await sql.end();
      await server.query(`drop database ${name} with (force)`);
      await server.end();
    },
  };
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  await client.connect();
  return client;
}
