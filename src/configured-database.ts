import type { App } from "./app.js";
import type { Config } from "./config.js";
import { type Database, openDatabase } from "./db/database.js";

/** Opens the database that the settings name, or the embedded one; what it starts is handed to `defer`. */
export async function openConfiguredDatabase(
  config: Config,
  embedded: "own" | "attach",
  defer: App["defer"],
): Promise<Database> {
  const url = config.databaseUrl ?? (await embeddedUrl(config.dataDir, embedded, defer));
  const database = openDatabase(url, config.databasePoolSize);
  defer(database.close);
  return database;
}

async function embeddedUrl(
  dataDir: string,
  embedded: "own" | "attach",
  defer: App["defer"],
): Promise<string> {
  const { attachToEmbeddedPostgres, startEmbeddedPostgres } = await import("./db/embedded-postgres.js");
  if (embedded === "attach") {
    const url = await attachToEmbeddedPostgres(dataDir);
    if (url !== undefined) return url;
  }
  const postgres = await startEmbeddedPostgres({ dataDir });
  defer(postgres.stop);
  return postgres.url;
}
