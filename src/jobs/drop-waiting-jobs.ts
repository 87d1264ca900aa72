import type { Knex } from "knex";

/**
 * Takes the jobs of these credentials from the queue, with what their last failures have left in it. Those that are being
 * run stay: what they do must bear that.
 */
export async function dropWaitingJobs(
  db: Knex,
  credentials: readonly { readonly id: number; readonly uuid: string }[],
): Promise<void> {
  await db.raw(
    `delete from graphile_worker._private_jobs
     where locked_at is null
       and (payload->>'credentialUuid' = any (?::text[]) or payload->>'credentialId' = any (?::text[]))`,
    [credentials.map(({ uuid }) => uuid), credentials.map(({ id }) => String(id))],
  );
}
