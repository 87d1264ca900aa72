import { MAX_INTERVAL_DAYS } from "#foundation/calendar/max-interval-days.js";
import type { Recurrence } from "../../configurations/schedules/schedule.js";
import type { ExportedSchedule } from "../export.js";
import { type Fields, momentOf, textIn } from "../fields.js";

const MINUTES_PER_PERIOD: Readonly<Record<string, number>> = {
  days: 1440,
  hours: 60,
  minutes: 1,
  seconds: 1 / 60,
  microseconds: 1 / 60_000_000,
};
const DAY = 1440;

/** A schedule in the tables of django_celery_beat. */
interface CelerySchedule {
  readonly task: Fields;
  readonly interval: Fields | undefined;
  readonly crontab: Fields | undefined;
}

/**
 * Translates a schedule. Settings that this service doesn't have are replaced, and each replacement is listed in
 * `changes`.
 */
export function translateSchedule({ task, interval, crontab }: CelerySchedule): ExportedSchedule {
  const startAt = momentOf("start_time", textIn(task, "start_time"));
  const { recurrence, timeZone, changes } =
    task.one_off === true && startAt !== null
      ? { recurrence: { kind: "once" } as const, timeZone: "", changes: [] }
      : crontab
        ? fromCrontab(crontab)
        : fromInterval(interval ?? {});
  return {
    isEnabled: task.enabled === true,
    recurrence,
    timeZone,
    startAt,
    endAt: momentOf("expires", textIn(task, "expires")),
    changes,
  };
}

type Translated = {
  readonly recurrence: Recurrence;
  readonly timeZone: string;
  readonly changes: readonly string[];
};

function fromCrontab(crontab: Fields): Translated {
  const names = ["minute", "hour", "day_of_month", "month_of_year", "day_of_week"];
  const expression = names.map((name) => textIn(crontab, name).replace(/\s+/g, "") || "*").join(" ");
  return { recurrence: { kind: "cron", expression }, timeZone: textIn(crontab, "timezone"), changes: [] };
}

function fromInterval(interval: Fields): Translated {
  const every = Number(textIn(interval, "every") || 10);
  const period = textIn(interval, "period") || "days";
  const minutes = every * (MINUTES_PER_PERIOD[period] ?? DAY);
  const cadence = `every ${every} ${period}`;
  const translated = (recurrence: Recurrence, changes: readonly string[] = []) => ({
    recurrence,
    timeZone: "",
    changes,
  });
  if (minutes % DAY === 0 && minutes / DAY <= MAX_INTERVAL_DAYS)
    return translated({ kind: "interval", days: minutes / DAY });
  if (minutes % 60 === 0 && 24 % (minutes / 60) === 0)
    return translated({ kind: "cron", expression: `0 */${minutes / 60} * * *` }, [
      `${cadence} is now at fixed hours: 0 */${minutes / 60} * * *`,
    ]);
  if (Number.isInteger(minutes) && 60 % minutes === 0)
    return translated({ kind: "cron", expression: `*/${minutes} * * * *` }, [
      `${cadence} is now at fixed minutes: */${minutes} * * * *`,
    ]);
  const days = Math.min(MAX_INTERVAL_DAYS, Math.max(1, Math.ceil(minutes / DAY)));
  return translated({ kind: "interval", days }, [`${cadence} is now every ${days} days`]);
}
