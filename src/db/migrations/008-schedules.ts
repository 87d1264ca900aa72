import type { Knex } from "knex";

/** Creates the table of schedules. Starting a run and advancing `next_run_at` happen in one transaction. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table credential_schedules (
      configuration_id integer primary key references credential_configurations on delete cascade,
      is_enabled boolean not null,
      -- Days between two runs, or a cron expression of five fields. If both are null, a single run at
      -- starts_at.
      interval_days integer check (interval_days > 0),
      cron text,
      -- If empty, the time zone of the service.
      time_zone text not null,
      starts_at timestamptz,
      ends_at timestamptz check (ends_at > starts_at),
      -- The start of the first interval.
      counted_from timestamptz not null,
      -- null: the schedule is off, or has ended.
      next_run_at timestamptz,
      last_error text not null default '',

      check (num_nonnulls(interval_days, cron) <= 1),
      check (num_nonnulls(interval_days, cron, starts_at) > 0),
      check (is_enabled or next_run_at is null)
    );
    create index credential_schedules_due on credential_schedules (next_run_at) where next_run_at is not null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("drop table credential_schedules");
}
