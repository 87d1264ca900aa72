import { rememberSuccess } from "#foundation/concurrency/remember-success.js";
import { checkReads, checkWrites } from "#infrastructure/db/check-database.js";
import type { Database } from "#infrastructure/db/database.js";
import { migrationStatus } from "#infrastructure/db/migrate.js";
import type { FileStore } from "#infrastructure/files/file-store.js";
import { isQueueStuck } from "#infrastructure/jobs/queue-health.js";
import type { Dependency } from "./readiness.js";

/** If a runnable job has waited longer than this, the queue has no worker. */
const LONGEST_WAIT = "10 minutes";

/** A check of the store writes to it, so a successful check is not repeated within this time. */
const STORE_REMEMBERED_MS = 10_000;

/**
 * What the service depends on. Without the file store or the queue it can still verify credentials. If a
 * process was taken out of service for those, verification would go with it.
 */
export function dependencies(deps: {
  database: Database;
  /** Rejects if the verifications of callers fail. */
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
    // Another process can't do better. So this is reported, and takes nothing out of service.
    { name: "verification", isRequired: false, check: verification },
    {
      name: "writes",
      isRequired: false,
      check: rememberSuccess((signal) => checkWrites(database, signal), 0),
    },
    {
      name: "store",
      isRequired: false,
      check: rememberSuccess(() => files.check(outputDir), STORE_REMEMBERED_MS),
    },
    {
      name: "queue",
      isRequired: false,
      async check() {
        if (await isQueueStuck(database.reads.knex, LONGEST_WAIT))
          throw new Error(`jobs have waited for ${LONGEST_WAIT}: is a worker running?`);
      },
    },
  ];
}
