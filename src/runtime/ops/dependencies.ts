import { rememberSuccess } from "#foundation/concurrency/remember-success.js";
import { checkReads, checkWrites } from "#infrastructure/db/check-database.js";
import type { Database } from "#infrastructure/db/database.js";
import { migrationStatus } from "#infrastructure/db/migrate.js";
import type { FileStore } from "#infrastructure/files/file-store.js";
import { isQueueStuck } from "#infrastructure/jobs/queue-health.js";
import type { Dependency } from "./readiness.js";

/** If a runnable job has waited this long, the queue is considered stalled. */
const MAX_JOB_WAIT = "10 minutes";

/** Checking the store writes a file, so a successful result is reused for this time. */
const STORE_CACHE_MS = 10_000;

/**
 * Lists the dependencies of the service, for readiness. The file store and the queue are optional: if they fail, the
 * service can still verify credentials. Taking processes out of service would stop verification as well.
 */
export function dependencies(deps: {
  database: Database;
  /** Rejects if requests to verify credentials fail. */
  verification: Dependency["check"];
  files: FileStore;
  outputDir: string;
}): Dependency[] {
  const { database, verification, files, outputDir } = deps;
  return [
    {
      name: "database",
      isRequired: true,
      check: (signal) => checkReads(database, signal),
    },
    {
      name: "migrations",
      isRequired: true,
      async check() {
        const { pending } = await migrationStatus(database.reads);
        if (pending.length > 0) throw new Error(`pending: ${pending.join(", ")}`);
      },
    },
    // Optional, because all processes would fail in the same way and be taken out of service together.
    { name: "verification", isRequired: false, check: verification },
    {
      name: "writes",
      isRequired: false,
      check: rememberSuccess((signal) => checkWrites(database, signal), 0),
    },
    {
      name: "store",
      isRequired: false,
      check: rememberSuccess(() => files.check(outputDir), STORE_CACHE_MS),
    },
    {
      name: "queue",
      isRequired: false,
      async check() {
        if (await isQueueStuck(database.reads.knex, MAX_JOB_WAIT))
          throw new Error(`jobs have waited for ${MAX_JOB_WAIT}: is a worker running?`);
      },
    },
  ];
}
