import { Cron } from "croner";
import type { CredentialSchedule } from "./schedule.js";

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Returns the first run time at or after a moment, or null if there is none before the schedule ends. If clocks go
 * forward and skip a cron time, the run starts after the gap. If clocks go back and a time occurs twice, one run
 * starts.
 */
export function nextRunTime(
  schedule: Pick<CredentialSchedule, "recurrence" | "timeZone" | "startAt" | "endAt" | "countedFrom">,
  moment: Date,
  serviceTimeZone: string,
): Date | null {
  const { startAt, endAt } = schedule;
  const from = startAt !== null && startAt > moment ? startAt : moment;
  const next = firstTime(schedule, from, schedule.timeZone || serviceTimeZone);
  return next === null || (endAt !== null && next >= endAt) ? null : next;
}

/** Returns up to `count` run times at or after a moment. */
export function upcomingTimes(
  schedule: Parameters<typeof nextRunTime>[0],
  moment: Date,
  serviceTimeZone: string,
  count: number,
): Date[] {
  const times: Date[] = [];
  for (let from = moment; times.length < count; ) {
    const next = nextRunTime(schedule, from, serviceTimeZone);
    if (next === null) break;
    times.push(next);
    from = new Date(next.getTime() + 1);
  }
  return times;
}

function firstTime(
  { recurrence, startAt, countedFrom }: Pick<CredentialSchedule, "recurrence" | "startAt" | "countedFrom">,
  from: Date,
  timeZone: string,
): Date | null {
  switch (recurrence.kind) {
    case "interval": {
      const step = recurrence.days * DAY_MS;
      const steps = Math.ceil((from.getTime() - countedFrom.getTime()) / step);
      // Enabling a schedule never issues credentials immediately, because credentials of another system may still have
      // to be imported.
      const first = startAt === null ? 1 : 0;
      return new Date(countedFrom.getTime() + Math.max(first, steps) * step);
    }
    case "cron":
      // Croner returns times strictly after the given moment.
      return new Cron(recurrence.expression, { timezone: timeZone, paused: true }).nextRun(
        new Date(from.getTime() - 1),
      );
    case "once":
      return startAt !== null && startAt >= from ? startAt : null;
  }
}
