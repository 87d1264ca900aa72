import type { Knex } from "knex";

/** Records designs that take too long to draw as a picture, so that they are not drawn again for every visitor. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table undrawable_designs (
      -- SHA-256 of the generation function, options and assets that the documents of the design share.
      design bytea primary key check (length(design) = 32),
      failed_at timestamptz not null default now()
    );
    create index undrawable_designs_by_time on undrawable_designs (failed_at);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("drop table undrawable_designs");
}
