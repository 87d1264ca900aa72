import type { Database } from "../db/database.js";
import { migrationStatus } from "../db/migrate.js";
import type { FileStore } from "../files/file-store.js";
import type { Dependency } from "./readiness.js";

/** A queue in which a job that could be run has waited for longer has nobody who runs it. */
const LONGEST_WAIT = "10 minutes";

/** A look at the store writes to it: while it works, it is looked at no more often than this. */
const STORE_REMEMBERED_MS = 10_000;

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
      check: rarely(() => files.check(outputDir)),
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

/** The same look for all who ask while it is under way, and for a while after it went well. */
function rarely(check: () => Promise<void>): () => Promise<void> {
  let latest: { result: Promise<void>; until: number } | undefined;
  return () => {
    if (latest && performance.now() < latest.until) return latest.result;
    const look = { result: check(), until: Number.POSITIVE_INFINITY };
    latest = look;
    look.result.then(
      () => {
        look.until = performance.now() + STORE_REMEMBERED_MS;
      },
      () => {
        look.until = 0;
      },
    );
    return look.result;
  };
}
