import type { App } from "./app.js";
import type { Config } from "./config.js";
import { type Database, openDatabase } from "./db/database.js";
import type { Supervision } from "./db/embedded-supervision.js";

/**
 * Opens the database that the settings name, or the embedded one; what it starts is handed to `defer`.
 * @param supervision has the embedded Postgres started again when it ends, if this process runs it
 */
export async function openConfiguredDatabase(
  config: Config,
  embedded: "own" | "attach",
  defer: App["defer"],
  supervision?: Supervision,
): Promise<Database> {
  const url = config.databaseUrl ?? (await embeddedUrl(config.dataDir, embedded, defer, supervision));
  const database = openDatabase(url, config.databasePoolSize);
  defer(database.close);
  return database;
}

async function embeddedUrl(
  dataDir: string,
  embedded: "own" | "attach",
  defer: App["defer"],
  supervision: Supervision | undefined,
): Promise<string> {
  const { attachToEmbeddedPostgres, startEmbeddedPostgres } = await import("./db/embedded-postgres.js");
  if (embedded === "attach") {
    const url = await attachToEmbeddedPostgres(dataDir);
    if (url !== undefined) return url;
  }
  const postgres = await startEmbeddedPostgres({ dataDir, supervision });
  defer(postgres.stop);
  return postgres.url;
}
