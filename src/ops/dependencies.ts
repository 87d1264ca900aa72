import { checkReads, checkWrites } from "../db/check-database.js";
import type { Database } from "../db/database.js";
import { migrationStatus } from "../db/migrate.js";
import type { FileStore } from "../files/file-store.js";
import { readQueueHealth } from "../jobs/queue-store.js";
import type { Dependency } from "./readiness.js";

/** A queue in which a job that could be run has waited for longer has nobody who runs it. */
const LONGEST_WAIT = "10 minutes";

/** A look at the store writes to it: while it works, it is looked at no more often than this. */
const STORE_REMEMBERED_MS = 10_000;

/**
 * What the service depends on. Without the file store or the queue, credentials are verified all the same: a process
 * that is taken out of service for that would take verification with it.
 */
export function dependencies(deps: {
  database: Database;
  files: FileStore;
  outputDir: string;
}): Dependency[] {
  const { database, files, outputDir } = deps;
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
    {
      name: "writes",
      isRequired: false,
      check: rarely((signal) => checkWrites(database, signal), 0),
    },
    {
      name: "store",
      isRequired: false,
      check: rarely(() => files.check(outputDir), STORE_REMEMBERED_MS),
    },
    {
      name: "queue",
      isRequired: false,
      async check() {
        const { isStuck, isAhead } = await readQueueHealth(database.reads.knex, LONGEST_WAIT);
        if (isAhead) {
          throw new Error(
            "jobs wait for a time that nothing explains: was the database's clock set back? `doctor --repair` has them run now",
          );
        }
        if (isStuck) throw new Error(`jobs have waited for ${LONGEST_WAIT}: is a worker running?`);
      },
    },
  ];
}

/** The same look for all who ask while it is under way, and for a while after it went well. */
function rarely(check: Dependency["check"], rememberedMs: number): Dependency["check"] {
  let latest: { result: Promise<void>; until: number } | undefined;
  return (signal) => {
    if (latest && performance.now() < latest.until) return latest.result;
    const look = { result: check(signal), until: Number.POSITIVE_INFINITY };
    latest = look;
    look.result.then(
      () => {
        look.until = performance.now() + rememberedMs;
      },
      () => {
        look.until = 0;
      },
    );
    return look.result;
  };
}
