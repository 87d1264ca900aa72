import { Cron } from "croner";
import { isTimeZone } from "#foundation/calendar/time-zone.js";
import { invalid, printable, quoted, wrongField } from "#foundation/errors.js";
import { MAX_CRON, MAX_INTERVAL_DAYS } from "#foundation/limits.js";
import type { StatedSchedule } from "./schedule.js";

export const DEFAULT_INTERVAL_DAYS = 10;

const FIELDS = 5;
/**
 * Characters in a field of a cron expression, including Croner's `L` (last), `W` (nearest weekday) and `#` (as in `5#2`,
 * the second Friday). Croner also accepts `@daily`, which has no fields, and `?`, whose meaning differs between
 * implementations.
 */
const cronField = /^[\dA-Za-z*,/#-]+$/;

/** @throws Problem `invalid` naming the invalid field */
export function checkSchedule(schedule: StatedSchedule): StatedSchedule {
  const { recurrence, timeZone, startAt, endAt } = schedule;
  if (timeZone !== "" && !isTimeZone(timeZone)) {
    throw wrongField(
      "schedule.time_zone",
      `is ${quoted(timeZone)}; it must be the IANA name of a time zone, such as Europe/Madrid.`,
    );
  }
  if (recurrence.kind === "interval" && !(recurrence.days >= 1 && recurrence.days <= MAX_INTERVAL_DAYS)) {
    throw wrongField(
      "schedule.interval_days",
      `is ${recurrence.days}; it must be 1 to ${MAX_INTERVAL_DAYS}.`,
    );
  }
  if (recurrence.kind === "cron") checkCron(recurrence.expression);
  if (recurrence.kind === "once" && startAt === null) {
    throw wrongField("schedule.start_time", "is missing: a schedule that runs once needs it.");
  }
  if (startAt !== null && endAt !== null && endAt <= startAt) {
    throw wrongField(
      "schedule.end_time",
      `is ${endAt.toISOString()}; it must be later than start_time, ${startAt.toISOString()}.`,
    );
  }
  return schedule;
}

function checkCron(expression: string): void {
  const shown = `schedule.cron is ${quoted(expression)}`;
  const fields = expression.trim().split(/\s+/);
  if (
    expression.length > MAX_CRON ||
    fields.length !== FIELDS ||
    !fields.every((field) => cronField.test(field))
  ) {
    throw invalid(
      `${shown}; it must have five fields (minute, hour, day of month, month, day of week) of numbers, names, L, W and *,-/# ` +
        "in at most 100 characters, for example 0 6 * * MON.",
    );
  }
  if (nextRunOf(expression, shown) === null) throw invalid(`${shown}, a time that never occurs.`);
}

function nextRunOf(expression: string, shown: string): Date | null {
  try {
    return new Cron(expression, { timezone: "UTC", paused: true, mode: "5-part" }).nextRun();
  } catch (error) {
    const problem = error instanceof Error ? error.message.replace(/^CronPattern: /, "") : "it can't be read";
    throw invalid(`${shown}, which is not a cron time: ${printable(problem)}.`, error);
  }
}
