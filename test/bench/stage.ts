import pg from "pg";
import { migrateUp } from "#infrastructure/db/migrate.js";
import { openDatabase } from "#infrastructure/db/open-database.js";

/** The environment in which a figure is measured. It has its own database. */
export interface Stage {
  readonly databaseUrl: string;
  readonly sql: pg.Client;
  /** Whether to use smaller amounts, for a quick look. */
  readonly isShort: boolean;
  /** Directory for CPU profiles of the service; undefined if no profiles are wanted. */
  readonly profileDir: string | undefined;
  /** Registers a function that releases a resource when the stage closes. The function registered last runs first. */
  defer(release: () => Promise<void>): void;
  /**
   * Returns the same stage on a database that several figures share because they don't change it.
   * @param fill fills the database on the first request for this name
   */
  sharing(name: string, fill: (stage: Stage) => Promise<void>): Promise<Stage>;
  close(): Promise<void>;
}

/** The Postgres of a run, and the databases that figures share, by name. */
export interface Server {
  readonly url: string;
  readonly shared: Map<string, Promise<string>>;
}

/** Creates a migrated database on the server. */
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
