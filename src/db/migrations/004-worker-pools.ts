import type { Knex } from "knex";

/**
 * Creates the table of live worker pools. A pool that stops renewing `seen_at` is dead, and its jobs are
 * requeued.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table worker_pools (
      pool_id text primary key,
      seen_at timestamptz not null
    );
  `);
}

/** graphile-worker owns the queue, and creates it again when the service migrates up. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw("drop schema if exists graphile_worker cascade; drop table worker_pools");
}
