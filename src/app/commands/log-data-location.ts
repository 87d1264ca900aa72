import { isAbsolute, resolve } from "node:path";
import type { Config } from "#runtime/settings/config.js";

/**
 * Prints on standard error which embedded database a command will use. It prints nothing beside a service
 * that runs the database, or for an absolute path: then the user knows.
 */
export async function logDataLocation({ databaseUrl, dataDir }: Config): Promise<void> {
  if (databaseUrl !== undefined || isAbsolute(dataDir)) return;
  const { attachToEmbeddedPostgres, hasEmbeddedPostgres } = await import(
    "#infrastructure/db/embedded/postgres.js"
  ); // here, so that --help stays fast
  const isPlain = (await attachToEmbeddedPostgres(dataDir)) !== undefined;
  if (isPlain || !(await hasEmbeddedPostgres(dataDir))) return;
  process.stderr.write(`Using the database in ${resolve(dataDir)}; no service runs on it.\n`);
}
