import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { checkSchedule, DEFAULT_INTERVAL_DAYS } from "#domain/configurations/schedules/check-schedule.js";
import type {
  CredentialSchedule,
  Recurrence,
  StatedSchedule,
} from "#domain/configurations/schedules/schedule.js";
import { wrongField } from "#foundation/errors.js";
import type {
  CredentialScheduleSchema,
  CredentialSchedule as ScheduleMessage,
} from "#gen/learning_credentials/v1/configuration_pb.js";
import { parseMoment } from "./timestamps.js";

/**
 * Reads the fields of a schedule that callers can set. Ignores fields that the service sets.
 * @throws Problem `invalid` that names the field
 */
export function parseSchedule(message: ScheduleMessage): StatedSchedule {
  return checkSchedule({
    isEnabled: message.enabled,
    recurrence: parseRecurrence(message.recurrence),
    timeZone: message.timeZone,
    startAt: parseMoment("schedule.start_time", message.startTime),
    endAt: parseMoment("schedule.end_time", message.endTime),
  });
}

function parseRecurrence(recurrence: ScheduleMessage["recurrence"]): Recurrence {
  switch (recurrence.case) {
    case undefined:
      return { kind: "interval", days: DEFAULT_INTERVAL_DAYS };
    case "intervalDays":
      return { kind: "interval", days: recurrence.value };
    case "cron":
      return { kind: "cron", expression: recurrence.value };
    case "once":
      if (recurrence.value) return { kind: "once" };
      throw wrongField("schedule.once", "is false: set it to true, or set interval_days or cron.");
  }
}

export function presentSchedule(
  schedule: CredentialSchedule,
): MessageInitShape<typeof CredentialScheduleSchema> {
  const { isEnabled, timeZone, lastError, setBy, startAt, endAt, nextRunAt } = schedule;
  return {
    enabled: isEnabled,
    recurrence: presentRecurrence(schedule.recurrence),
    timeZone,
    lastError,
    setBy: setBy?.name ?? "",
    ...(startAt && { startTime: timestampFromDate(startAt) }),
    ...(endAt && { endTime: timestampFromDate(endAt) }),
    ...(nextRunAt && { nextRunTime: timestampFromDate(nextRunAt) }),
  };
}

function presentRecurrence(
  recurrence: Recurrence,
): NonNullable<MessageInitShape<typeof CredentialScheduleSchema>["recurrence"]> {
  switch (recurrence.kind) {
    case "interval":
      return { case: "intervalDays", value: recurrence.days };
    case "cron":
      return { case: "cron", value: recurrence.expression };
    case "once":
      return { case: "once", value: true };
  }
}
