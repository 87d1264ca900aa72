import type { Logger } from "pino";
import type { Database } from "#infrastructure/db/database.js";
import { READ_CONNECTIONS } from "#infrastructure/db/open-database.js";
import { queryValue } from "#infrastructure/db/query.js";

/** One connection listens for events. */
const FEED_CONNECTIONS = 1;
/** The queue has five connections, and another listens for new jobs. */
const JOB_CONNECTIONS = 6;

/** Warns if the processes could open more connections than PostgreSQL allows. */
export async function warnOfFewConnections(
  { knex }: Database,
  log: Logger,
  { processes, poolSize, runsJobs }: { processes: number; poolSize: number; runsJobs: boolean },
): Promise<void> {
  const allowed = await queryValue<number>(
    knex,
    "select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as allowed",
  );
  const jobs = runsJobs ? JOB_CONNECTIONS : 0;
  const possible = processes * (poolSize + READ_CONNECTIONS + FEED_CONNECTIONS) + jobs;
  if (possible <= allowed) return;
  log.warn(
    { possible, allowed },
    "processes may open more connections than PostgreSQL allows: lower DATABASE_POOL_SIZE or raise max_connections",
  );
}
