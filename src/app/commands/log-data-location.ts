import { isAbsolute, resolve } from "node:path";
import type { Config } from "#runtime/settings/config.js";

/**
 * Prints on standard error which embedded database a command will use. Prints nothing if a service is running on the
 * database or if the path is absolute, because the location is then clear.
 */
export async function logDataLocation({ databaseUrl, dataDir }: Config): Promise<void> {
  if (databaseUrl !== undefined || isAbsolute(dataDir)) return;
  const { attachToEmbeddedPostgres, hasEmbeddedPostgres } = await import(
    "#infrastructure/db/embedded/postgres.js"
  ); // imported here to keep --help fast
  const isPlain = (await attachToEmbeddedPostgres(dataDir)) !== undefined;
  if (isPlain || !(await hasEmbeddedPostgres(dataDir))) return;
  process.stderr.write(`Using the database in ${resolve(dataDir)}; no service runs on it.\n`);
}
