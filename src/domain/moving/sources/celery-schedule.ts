import { MAX_INTERVAL_DAYS } from "#foundation/limits.js";
import { DEFAULT_INTERVAL_DAYS } from "../../configurations/schedules/check-schedule.js";
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
 * `changes`. A schedule that would run at other times here is disabled.
 */
export function translateSchedule(schedule: CelerySchedule): ExportedSchedule {
  const { task } = schedule;
  const startAt = momentOf("start_time", textIn(task, "start_time"));
  const { recurrence, timeZone, changes, obstacle } = translateTimes(schedule, startAt);
  return {
    isEnabled: task.enabled === true && obstacle === undefined,
    recurrence,
    timeZone,
    startAt,
    endAt: momentOf("expires", textIn(task, "expires")),
    changes: obstacle === undefined ? changes : [...changes, `is off: ${obstacle}`],
  };
}

type Translated = {
  readonly recurrence: Recurrence;
  readonly timeZone: string;
  readonly changes: readonly string[];
  /** Why the schedule would run at other times here. */
  readonly obstacle?: string;
};

function translateTimes({ task, interval, crontab }: CelerySchedule, startAt: Date | null): Translated {
  if (!crontab && !interval)
    return {
      recurrence: { kind: "interval", days: DEFAULT_INTERVAL_DAYS },
      timeZone: "",
      changes: [`is now every ${DEFAULT_INTERVAL_DAYS} days`],
      obstacle: "the export has no interval or crontab for it",
    };
  const isOnce = task.one_off === true;
  if (isOnce && startAt !== null) return { recurrence: { kind: "once" }, timeZone: "", changes: [] };
  const translated = crontab ? fromCrontab(crontab) : fromInterval(interval ?? {});
  return isOnce ? { ...translated, obstacle: "it runs once, but has no start time" } : translated;
}

function fromCrontab(crontab: Fields): Translated {
  const names = ["minute", "hour", "day_of_month", "month_of_year", "day_of_week"];
  const fields = names.map((name) => textIn(crontab, name).replace(/\s+/g, "") || "*");
  const expression = fields.join(" ");
  const requiresBothDays = fields[2] !== "*" && fields[4] !== "*";
  return {
    recurrence: { kind: "cron", expression },
    timeZone: textIn(crontab, "timezone"),
    changes: [],
    ...(requiresBothDays && {
      obstacle: `${expression} required both the day of the month and the day of the week, but here either is enough`,
    }),
  };
}

function fromInterval(interval: Fields): Translated {
  const every = Number(textIn(interval, "every") || DEFAULT_INTERVAL_DAYS);
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
