import { Cron } from "croner";
import type { CredentialSchedule } from "./schedule.js";

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * The first time of a schedule at or after a moment. Of a cron time that clocks skip in spring, the run is moved past the
 * gap; of one that they show twice in autumn, the first counts.
 * @param serviceTimeZone for a schedule that names none
 * @returns null when there is none before its end
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

function firstTime(
  { recurrence, startAt, countedFrom }: Pick<CredentialSchedule, "recurrence" | "startAt" | "countedFrom">,
  from: Date,
  timeZone: string,
): Date | null {
  switch (recurrence.kind) {
    case "interval": {
      const step = recurrence.days * DAY_MS;
      const steps = Math.ceil((from.getTime() - countedFrom.getTime()) / step);
      return new Date(countedFrom.getTime() + Math.max(0, steps) * step);
    }
    case "cron":
      // Croner gives what comes later than the moment it is told.
      return new Cron(recurrence.expression, { timezone: timeZone, paused: true }).nextRun(
        new Date(from.getTime() - 1),
      );
    case "once":
      return startAt !== null && startAt >= from ? startAt : null;
  }
}
