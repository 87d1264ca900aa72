import pg from "pg";
import { openDatabase } from "#infrastructure/db/database.js";
import { migrateUp } from "#infrastructure/db/migrate.js";

/** The setting in which one figure is measured, with a database of its own. */
export interface Stage {
  readonly databaseUrl: string;
  /** A connection to the database. */
  readonly sql: pg.Client;
  /** Smaller amounts, for a quick look. */
  readonly isShort: boolean;
  /** The directory for CPU profiles of the service, if they are wanted. */
  readonly profileDir: string | undefined;
  /** Registers a release that runs when the stage closes, before those registered earlier. */
  defer(release: () => Promise<void>): void;
  /**
   * The same stage on a database shared by figures that do not change it.
   * @param fill fills the database on the first request for this name
   */
  sharing(name: string, fill: (stage: Stage) => Promise<void>): Promise<Stage>;
  close(): Promise<void>;
}

/** The Postgres of a run, with the databases that figures share, by name. */
export interface Server {
  readonly url: string;
  readonly shared: Map<string, Promise<string>>;
}

/** Makes a migrated database on the server. */
export async function openStage(
  server: Server,
  name: string,
  options: Pick<Stage, "isShort" | "profileDir">,
): Promise<Stage> {
  const releases: (() => Promise<void>)[] = [];
  const databaseUrl = await createDatabase(server, name);
  const sql = await connect(databaseUrl);
  const stage: Stage = {
    ...options,
    databaseUrl,
    sql,
    defer: (release) => void releases.push(release),
    async sharing(name, fill) {
      const made = server.shared.get(name) ?? createFilled(name, fill);
      server.shared.set(name, made);
      return onDatabase(await made);
    },
    async close() {
      for (let release = releases.pop(); release; release = releases.pop()) await release();
      await sql.end();
      await dropDatabase(server, name);
    },
  };

  async function createFilled(name: string, fill: (stage: Stage) => Promise<void>): Promise<string> {
    const url = await createDatabase(server, name);
    await fill(await onDatabase(url));
    return url;
  }

  async function onDatabase(databaseUrl: string): Promise<Stage> {
    const sql = await connect(databaseUrl);
    stage.defer(() => sql.end());
    return { ...stage, databaseUrl, sql };
  }
  return stage;
}

async function createDatabase(server: Server, name: string): Promise<string> {
  await onServer(server, `create database ${name}`);
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  const database = openDatabase(url.href);
  await migrateUp(database);
  await database.close();
  return url.href;
}

function dropDatabase(server: Server, name: string): Promise<void> {
  return onServer(server, `drop database ${name} with (force)`);
}

async function onServer({ url }: Server, statement: string): Promise<void> {
  const sql = await connect(url);
  await sql.query(statement);
  await sql.end();
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  await client.connect();
  return client;
}
