import type { Database } from "../db/database.js";
import { migrationStatus } from "../db/migrate.js";
import type { FileStore } from "../files/file-store.js";
import type { Dependency } from "./readiness.js";

/** A queue in which a job that could be run has waited for longer has nobody who runs it. */
const LONGEST_WAIT = "10 minutes";

/**
 * What the service depends on. Without the file store or the queue, credentials are verified all the same: a process
 * that is taken out of service for that would take verification with it.
 */
export function dependencies(parts: {
  database: Database;
  files: FileStore;
  outputDir: string;
}): Dependency[] {
  const { database, files, outputDir } = parts;
  return [
    {
      name: "database",
      isRequired: true,
      async check() {
        await database.knex.raw("select 1");
      },
    },
    {
      name: "migrations",
      isRequired: true,
      async check() {
        const { pending } = await migrationStatus(database);
        if (pending.length > 0) throw new Error(`pending: ${pending.join(", ")}`);
      },
    },
    {
      name: "store",
      isRequired: false,
      async check() {
        await files.read(`${outputDir}/readiness`); // there is none: that the store says so is what counts
      },
    },
    {
      name: "queue",
      isRequired: false,
      async check() {
        const { rows } = await database.knex.raw(
          `select exists (
             select from graphile_worker._private_jobs
             where locked_at is null and attempts < max_attempts and run_at < now() - interval '${LONGEST_WAIT}'
           ) as "isStuck"`,
        );
        if (rows[0].isStuck) throw new Error(`jobs have waited for ${LONGEST_WAIT}: is a worker running?`);
      },
    },
  ];
}
