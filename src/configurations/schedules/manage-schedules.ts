import { isDeepStrictEqual } from "node:util";
import type { Knex } from "knex";
import { queryRowOrThrow } from "../../db/query.js";
import { invalidField } from "../../errors.js";
import { nextRunTime } from "./next-run-time.js";
import type { CredentialSchedule, StatedSchedule } from "./schedule.js";
import { deleteSchedule, lockSchedule, saveSchedule } from "./schedule-store.js";

/**
 * Gives a configuration a schedule; undefined removes it. A schedule that is the same as before keeps its
 * state.
 * @param serviceTimeZone for a schedule that names none
 * @throws Problem `invalid` if it is enabled but would never start a run
 */
export async function setSchedule(
  transaction: Knex.Transaction,
  configurationId: number,
  stated: StatedSchedule | undefined,
  serviceTimeZone: string,
): Promise<CredentialSchedule | undefined> {
  if (stated === undefined) {
    await deleteSchedule(transaction, configurationId);
    return undefined;
  }
  const known = await lockSchedule(transaction, configurationId);
  if (known && isDeepStrictEqual(statementOf(known), stated)) return known;

  const { now } = await queryRowOrThrow<{ now: Date }>(transaction, "select now() as now");
  const schedule = begin(stated, known, now, serviceTimeZone);
  await saveSchedule(transaction, configurationId, schedule);
  return schedule;
}

function begin(
  stated: StatedSchedule,
  known: CredentialSchedule | undefined,
  now: Date,
  serviceTimeZone: string,
): CredentialSchedule {
  const countedFrom = stated.startAt ?? (known?.isEnabled ? known.countedFrom : now);
  const schedule = { ...stated, countedFrom, nextRunAt: null, lastError: "" };
  if (!stated.isEnabled) return schedule;
  // A due run that nobody has started yet is kept.
  const from = known?.nextRunAt && known.nextRunAt < now ? known.nextRunAt : now;
  const nextRunAt = nextRunTime(schedule, from, serviceTimeZone);
  if (nextRunAt !== null) return { ...schedule, nextRunAt };
  throw invalidField(
    "schedule",
    "schedule would never start a run: no time is left for it. Correct its start_time or end_time, or set enabled to " +
      "false.",
  );
}

function statementOf({ isEnabled, recurrence, timeZone, startAt, endAt }: StatedSchedule): StatedSchedule {
  return { isEnabled, recurrence, timeZone, startAt, endAt };
}
