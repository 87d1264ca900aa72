import type { Knex } from "knex";
import { execute, queryRow, queryRows } from "../../db/query.js";
import type { CredentialSchedule, Recurrence } from "./schedule.js";

const columns = `configuration_id as "configurationId", is_enabled as "isEnabled", interval_days as "intervalDays", cron,
  time_zone as "timeZone", starts_at as "startAt", ends_at as "endAt", counted_from as "countedFrom",
  next_run_at as "nextRunAt", last_error as "lastError"`;

/** A row of the schedules table. */
interface ScheduleRow extends Omit<CredentialSchedule, "recurrence"> {
  readonly configurationId: number;
  readonly intervalDays: number | null;
  readonly cron: string | null;
}

/** Returns the schedules of these configurations, by configuration id. */
export async function findSchedules(
  db: Knex,
  configurationIds: readonly number[],
): Promise<ReadonlyMap<number, CredentialSchedule>> {
  const rows = await queryRows<ScheduleRow>(
    db,
    `select ${columns} from credential_schedules where configuration_id = any (?::integer[])`,
    [configurationIds],
  );
  return new Map(rows.map((row) => [row.configurationId, read(row)]));
}

/** Returns a schedule and locks it until the transaction ends. */
export async function lockSchedule(
  transaction: Knex.Transaction,
  configurationId: number,
): Promise<CredentialSchedule | undefined> {
  const row = await queryRow<ScheduleRow>(
    transaction,
    `select ${columns} from credential_schedules where configuration_id = ? for update`,
    [configurationId],
  );
  return row && read(row);
}

/** Inserts the configuration's schedule, or replaces it. */
export async function saveSchedule(
  db: Knex,
  configurationId: number,
  { recurrence, ...schedule }: CredentialSchedule,
): Promise<void> {
  await execute(
    db,
    `insert into credential_schedules (
       configuration_id, is_enabled, interval_days, cron, time_zone, starts_at, ends_at, counted_from, next_run_at, last_error
     )
     values (
       :configurationId, :isEnabled, :intervalDays, :cron, :timeZone, :startAt, :endAt, :countedFrom, :nextRunAt, :lastError
     )
     on conflict (configuration_id) do update set
       is_enabled = excluded.is_enabled,
       interval_days = excluded.interval_days,
       cron = excluded.cron,
       time_zone = excluded.time_zone,
       starts_at = excluded.starts_at,
       ends_at = excluded.ends_at,
       counted_from = excluded.counted_from,
       next_run_at = excluded.next_run_at,
       last_error = excluded.last_error`,
    {
      configurationId,
      ...schedule,
      intervalDays: recurrence.kind === "interval" ? recurrence.days : null,
      cron: recurrence.kind === "cron" ? recurrence.expression : null,
    },
  );
}

export async function deleteSchedule(db: Knex, configurationId: number): Promise<void> {
  await execute(db, "delete from credential_schedules where configuration_id = ?", [configurationId]);
}

/** A schedule that is due. */
export interface DueSchedule {
  readonly configurationId: number;
  readonly schedule: CredentialSchedule;
  /** By the clock of the database. */
  readonly now: Date;
}

/**
 * Takes the schedule that has been due for the longest time. Until the transaction ends, nobody else can take
 * it, and nobody can delete its configuration.
 */
export async function takeDueSchedule(transaction: Knex.Transaction): Promise<DueSchedule | undefined> {
  const row = await queryRow<ScheduleRow & { now: Date }>(
    transaction,
    `select ${columns}, now() as now
     from credential_schedules schedule
     join credential_configurations configuration on configuration.id = schedule.configuration_id
     where next_run_at <= now()
     order by next_run_at
     limit 1
     for update of schedule skip locked
     for key share of configuration skip locked`,
  );
  if (!row) return undefined;
  const { now, ...schedule } = row;
  return { configurationId: row.configurationId, schedule: read(schedule), now };
}

/** Advances a schedule. */
export async function setNextRun(
  db: Knex,
  configurationId: number,
  { nextRunAt, lastError }: Pick<CredentialSchedule, "nextRunAt" | "lastError">,
): Promise<void> {
  await execute(
    db,
    "update credential_schedules set next_run_at = ?, last_error = ? where configuration_id = ?",
    [nextRunAt, lastError, configurationId],
  );
}

function read({ configurationId, intervalDays, cron, ...row }: ScheduleRow): CredentialSchedule {
  return { ...row, recurrence: recurrenceOf(intervalDays, cron) };
}

function recurrenceOf(intervalDays: number | null, cron: string | null): Recurrence {
  if (intervalDays !== null) return { kind: "interval", days: intervalDays };
  return cron === null ? { kind: "once" } : { kind: "cron", expression: cron };
}
