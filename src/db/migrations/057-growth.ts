import type { Knex } from "knex";

/**
 * Prepares the tables that grow. UUIDs of new credentials begin with their time (UUIDv7, RFC 9562), so that the index has them
 * side by side. Verification UUIDs stay random: they must not tell how many were issued when. Vacuum and
 * statistics no longer wait for a fifth of the rows to change. The unique index that allowed no renewal goes: each row was in two.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- 48 bits of milliseconds, and 74 random ones of a version 4 UUID, whose version 0100 becomes 0111.
    create function time_ordered_uuid() returns uuid language sql volatile parallel safe as $$
      select encode(
        set_bit(
          set_bit(
            overlay(
              uuid_send(gen_random_uuid())
              placing substring(int8send((date_part('epoch', clock_timestamp()) * 1000)::bigint) from 3)
              from 1 for 6
            ),
            52, 1
          ),
          53, 1
        ),
        'hex'
      )::uuid
    $$;
    drop index if exists credentials_one_in_force;
    drop function permit_renewals();
    alter table credentials alter column uuid set default time_ordered_uuid();
    alter table credentials set (
      autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02,
      autovacuum_vacuum_insert_scale_factor = 0.02
    );
    alter table credential_events set (
      autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02
    )
  `);
}

/** The unique index is left to an earlier migration, as renewals may be there that it forbids. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table credential_events reset (
      autovacuum_analyze_scale_factor, autovacuum_vacuum_insert_scale_factor
    );
    alter table credentials reset (
      autovacuum_vacuum_scale_factor, autovacuum_analyze_scale_factor, autovacuum_vacuum_insert_scale_factor
    );
    alter table credentials alter column uuid set default gen_random_uuid();
    drop function time_ordered_uuid();
    create function permit_renewals() returns void language plpgsql security definer as $$
    begin
      drop index if exists credentials_one_in_force;
    end $$;
    revoke execute on function permit_renewals from public;
    do $$ begin
      execute format('alter function permit_renewals() set search_path = %I, pg_temp', current_schema());
    end $$
  `);
}
