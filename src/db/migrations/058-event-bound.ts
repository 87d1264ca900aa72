import type { Knex } from "knex";

/**
 * Prepares the events there are to become the first of many partitions: bounds their positions, without a look at the rows. There
 * is room for as many more as a partition has at least, until migration 060 adds the next.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- With indexes about 7 GB: a billion events are 40 partitions, all of which a search without a position opens.
    create function credential_events_per_partition() returns bigint language sql immutable as 'select 25000000::bigint';
    do $$ begin
      execute format(
        'alter table credential_events add constraint credential_events_bound check (position < %s) not valid',
        ((select position from credential_event_head) / credential_events_per_partition() + 2)
          * credential_events_per_partition() + 1
      );
    end $$
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table credential_events drop constraint credential_events_bound;
    drop function credential_events_per_partition
  `);
}
