import { columnsOf } from "#infrastructure/db/columns.js";
import { execute, type Knex, queryRow, queryRows, queryValues } from "#infrastructure/db/query.js";
import type { Actor } from "#infrastructure/identity/actors.js";
import type { CredentialSchedule, Recurrence } from "./schedule.js";

interface ScheduleRow extends Omit<CredentialSchedule, "recurrence" | "setBy"> {
  readonly setByKind: Actor["kind"] | null;
  readonly setBy: string | null;
  readonly configurationId: number;
  readonly intervalDays: number | null;
  readonly cron: string | null;
}

const { names, selected, parameterOf, json } = columnsOf<ScheduleRow>("credential_schedules", {
  configurationId: {},
  isEnabled: {},
  intervalDays: {},
  cron: {},
  timeZone: {},
  startAt: { name: "starts_at" },
  endAt: { name: "ends_at" },
  countedFrom: {},
  nextRunAt: {},
  lastError: {},
  setByKind: {},
  setBy: {},
});

export async function findSchedules(
  db: Knex,
  configurationIds: readonly number[],
): Promise<ReadonlyMap<number, CredentialSchedule>> {
  const rows = await queryRows<ScheduleRow>(
    db,
    `select ${selected} from credential_schedules where configuration_id = any (?::integer[])`,
    [configurationIds],
  );
  return new Map(rows.map((row) => [row.configurationId, read(row)]));
}

export async function lockSchedule(
  transaction: Knex.Transaction,
  configurationId: number,
): Promise<CredentialSchedule | undefined> {
  const row = await queryRow<ScheduleRow>(
    transaction,
    `select ${selected} from credential_schedules where configuration_id = ? for update`,
    [configurationId],
  );
  return row && read(row);
}

export async function saveSchedule(
  db: Knex,
  configurationId: number,
  { recurrence, setBy, ...schedule }: CredentialSchedule,
): Promise<void> {
  const row = {
    configurationId,
    ...schedule,
    setByKind: setBy?.kind ?? null,
    setBy: setBy?.name ?? null,
    intervalDays: recurrence.kind === "interval" ? recurrence.days : null,
    cron: recurrence.kind === "cron" ? recurrence.expression : null,
  };
  await execute(
    db,
    `insert into credential_schedules (${names}) ${parameterOf(":row")}
     on conflict (configuration_id) do update set (${names}) = ${parameterOf(":row")}`,
    { row: json(row) },
  );
}

export async function deleteSchedule(db: Knex, configurationId: number): Promise<void> {
  await execute(db, "delete from credential_schedules where configuration_id = ?", [configurationId]);
}

/**
 * Locks schedules until the transaction ends, except schedules that have no next run. Returns the ids of the locked
 * schedules' configurations, ascending.
 */
export async function lockPending(
  transaction: Knex.Transaction,
  configurationIds: readonly number[],
): Promise<number[]> {
  return queryValues<number>(
    transaction,
    `select configuration_id as id from credential_schedules
     where configuration_id = any (?::integer[]) and next_run_at is not null order by configuration_id for update`,
    [configurationIds],
  );
}

/** Records who is responsible for the credentials that the schedules issue. */
export async function setEditor(db: Knex, configurationIds: readonly number[], editor: Actor): Promise<void> {
  await execute(
    db,
    "update credential_schedules set set_by_kind = ?, set_by = ? where configuration_id = any (?::integer[])",
    [editor.kind, editor.name, configurationIds],
  );
}

interface DueSchedule {
  readonly configurationId: number;
  readonly schedule: CredentialSchedule;
  readonly now: Date;
}

/** Takes the schedule that has been due for the longest time. Until the transaction ends, other processes skip it. */
export async function takeDueSchedule(transaction: Knex.Transaction): Promise<DueSchedule | undefined> {
  const row = await queryRow<ScheduleRow & { now: Date }>(
    transaction,
    `select ${selected}, now() as now
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

function read({
  configurationId,
  intervalDays,
  cron,
  setByKind: kind,
  setBy: name,
  ...row
}: ScheduleRow): CredentialSchedule {
  const setBy = kind !== null && name !== null ? { kind, name } : null;
  return { ...row, setBy, recurrence: recurrenceOf(intervalDays, cron) };
}

function recurrenceOf(intervalDays: number | null, cron: string | null): Recurrence {
  if (intervalDays !== null) return { kind: "interval", days: intervalDays };
  return cron === null ? { kind: "once" } : { kind: "cron", expression: cron };
}

export function findOpenToClaims(db: Knex, ids: readonly number[]): Promise<number[]> {
  return queryValues<number>(
    db,
    "select id from credential_configurations where id = any (?::integer[]) and claim <> 'never' order by id",
    [ids],
  );
}
