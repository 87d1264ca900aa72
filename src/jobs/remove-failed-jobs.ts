import type { Knex } from "knex";

/**
 * Removes jobs that were tried for the last time more than `days` days ago. Jobs that are done leave the queue at once, and
 * those that failed for good are handed over by any worker that knows their task: what is left are jobs of other versions.
 */
export async function removeFailedJobs(knex: Knex, days: number): Promise<void> {
  await knex.raw(
    `delete from graphile_worker._private_jobs
     where attempts >= max_attempts and locked_at is null and updated_at < now() - make_interval(days => ?)`,
    [days],
  );
}
