import type { Knex } from "knex";

/** Whether any worker has said within the last minute that it is alive. */
export async function hasLivingWorker(db: Knex): Promise<boolean> {
  const { rows } = await db.raw(
    "select exists (select from worker_pools where seen_at > now() - interval '1 minute') as lives",
  );
  return rows[0].lives;
}
