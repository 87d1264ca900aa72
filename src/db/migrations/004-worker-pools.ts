import type { Knex } from "knex";

/** The worker pools that are alive: a pool that stops renewing `seen_at` is dead, and its jobs are taken from it. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table worker_pools (
      pool_id text primary key,
      seen_at timestamptz not null
    );
  `);
}

/** The queue itself is graphile-worker's; it is made again when the service migrates up. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw("drop schema if exists graphile_worker cascade; drop table worker_pools");
}
