import { isAbsolute, resolve } from "node:path";
import type { Config } from "../settings/config.js";

/**
 * Tells on standard error which embedded database a command is going to work on, unless that is plain: beside a service that
 * runs it is, and so it is by a path that names one place only.
 */
export async function tellWhere({ databaseUrl, dataDir }: Config): Promise<void> {
  if (databaseUrl !== undefined || isAbsolute(dataDir)) return;
  const { attachToEmbeddedPostgres, hasEmbeddedPostgres } = await import("../db/embedded/postgres.js"); // not for the help
  const isPlain = (await attachToEmbeddedPostgres(dataDir)) !== undefined;
  if (isPlain || !(await hasEmbeddedPostgres(dataDir))) return;
  process.stderr.write(`The database is that in ${resolve(dataDir)}, and no service runs on it.\n`);
}
