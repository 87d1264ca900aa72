import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Timestamp, timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { MAX_INTERVAL_DAYS } from "#foundation/limits.js";
import type {
  CredentialSchedule,
  CredentialScheduleSchema,
} from "#gen/learning_credentials/v1/configuration_pb.js";
import { asciiDigits } from "../../components/ascii-digits.js";

export const SCHEDULE_KINDS = ["byHand", "weekly", "monthly", "everyDays", "once", "byCron"] as const;
type ScheduleKind = (typeof SCHEDULE_KINDS)[number];

/** The contents of the form's fields. */
export interface TypedSchedule {
  readonly kind: ScheduleKind;
  /** Whether the schedule starts runs. It keeps its other values while it is off. */
  readonly isEnabled: boolean;
  readonly days: string;
  /** Used by a weekly schedule. */
  readonly weekdays: readonly Weekday[];
  /** Used by a monthly schedule. */
  readonly day: string;
  /** Used by a weekly or monthly schedule, for example `06:00`. */
  readonly time: string;
  readonly cron: string;
  readonly zone: string;
  readonly notBefore: string;
  readonly notAfter: string;
}

export const WEEKDAYS = ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"] as const;
export type Weekday = (typeof WEEKDAYS)[number];

export type Times = Pick<TypedSchedule, "weekdays" | "day" | "time"> & {
  readonly kind: "weekly" | "monthly";
};

function cronOf({ kind, weekdays, day, time }: Times): string {
  const [hour, minute] = time.split(":").map(Number);
  const chosen = WEEKDAYS.filter((each) => weekdays.includes(each));
  if (kind === "monthly") return `${minute} ${hour} ${Number(asciiDigits(day))} * *`;
  return `${minute} ${hour} * * ${chosen.length === WEEKDAYS.length ? "*" : chosen.join(",")}`;
}

/**
 * Parses a cron expression in the form that `cronOf` returns. Returns undefined for any other expression, and for days
 * that some months don't have.
 */
export function timesIn(cron: string): Times | undefined {
  const [, minute = "", hour = "", day = "", weekdays = ""] =
    /^(\d{1,2}) (\d{1,2}) (\*|\d{1,2}) \* (\*|[A-Z,]+)$/.exec(cron) ?? [];
  const times: Times = {
    kind: day === "*" ? "weekly" : "monthly",
    weekdays: weekdays === "*" ? WEEKDAYS : WEEKDAYS.filter((each) => weekdays.split(",").includes(each)),
    day: day === "*" ? "1" : day,
    time: `${hour.padStart(2, "0")}:${minute.padStart(2, "0")}`,
  };
  if (times.kind === "monthly" && !isDayOfMonth(day)) return undefined;
  return minute !== "" && cronOf(times) === cron ? times : undefined;
}

/** The service's default interval. */
const DEFAULT_DAYS = "10";

/** @param isUtc whether times are entered in UTC instead of the browser's time zone */
export function typedSchedule(schedule: CredentialSchedule | undefined, isUtc: boolean): TypedSchedule {
  const { recurrence } = schedule ?? {};
  return {
    days: recurrence?.case === "intervalDays" ? String(recurrence.value) : DEFAULT_DAYS,
    cron: recurrence?.case === "cron" ? recurrence.value : "",
    ...(timesIn(recurrence?.case === "cron" ? recurrence.value : "") ?? {
      weekdays: ["MON"],
      day: "1",
      time: "06:00",
    }),
    zone: schedule?.timeZone ?? "",
    notBefore: textOf(schedule?.startTime, isUtc),
    notAfter: textOf(schedule?.endTime, isUtc),
    kind: scheduleKindOf(schedule),
    isEnabled: schedule?.enabled ?? true,
  };
}

/** Returns the kind of a schedule, whether it is on or off. */
export function scheduleKindOf(schedule: CredentialSchedule | undefined): ScheduleKind {
  if (!schedule) return "byHand";
  if (schedule.recurrence.case === "cron") return timesIn(schedule.recurrence.value)?.kind ?? "byCron";
  return schedule.recurrence.case === "once" ? "once" : "everyDays";
}

/**
 * Returns the schedule that was entered, or undefined if runs are started manually.
 * @param stored the schedule before the change; unchanged times keep their seconds, and an unchanged time zone is kept
 */
export function scheduleOf(
  typed: TypedSchedule,
  stored: CredentialSchedule | undefined,
  isUtc: boolean,
): MessageInitShape<typeof CredentialScheduleSchema> | undefined {
  const { kind, isEnabled, days, cron, zone, notBefore, notAfter } = typed;
  if (kind === "byHand") return undefined;
  const momentOf = (text: string, before: Timestamp | undefined) =>
    text === textOf(before, isUtc) ? before : readMoment(text, isUtc);
  const byCron = (value: string) => ({ case: "cron", value }) as const;
  return {
    enabled: isEnabled,
    recurrence: {
      everyDays: { case: "intervalDays", value: Number(daysIn(days)) } as const,
      weekly: byCron(cronOf({ ...typed, kind: "weekly" })),
      monthly: byCron(cronOf({ ...typed, kind: "monthly" })),
      byCron: byCron(cron.trim()),
      once: { case: "once", value: true } as const,
    }[kind],
    timeZone: hasZone(kind) || zone === stored?.timeZone ? zone.trim() : "",
    startTime: momentOf(notBefore, stored?.startTime),
    endTime: momentOf(notAfter, stored?.endTime),
  };
}

/** Returns whether the times depend on a time zone. */
export function hasZone(kind: ScheduleKind): boolean {
  return kind === "byCron" || kind === "weekly" || kind === "monthly";
}

/** Returns whether the form can be submitted. */
export function isComplete({ kind, days, cron, notBefore, weekdays, day, time }: TypedSchedule): boolean {
  if (kind === "weekly") return weekdays.length > 0 && time !== "";
  if (kind === "monthly") return isDayOfMonth(day) && time !== "";
  if (kind === "everyDays")
    return /^[1-9]\d*$/.test(daysIn(days)) && Number(daysIn(days)) <= MAX_INTERVAL_DAYS;
  if (kind === "byCron") return cron.trim() !== "";
  return kind === "byHand" || notBefore !== "";
}

/** The last day that every month has. */
export const MAX_DAY = 28;

export function isDayOfMonth(typed: string): boolean {
  return /^(?:[1-9]|1\d|2[0-8])$/.test(daysIn(typed));
}

function daysIn(typed: string): string {
  return asciiDigits(typed).trim();
}

/** Formats a time for `datetime-local`: `2026-11-23T06:00`. */
function textOf(moment: Timestamp | undefined, isUtc: boolean): string {
  if (!moment) return "";
  const time = timestampDate(moment);
  const shifted = isUtc ? time : new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, "2026-11-23T06:00".length);
}

function readMoment(typed: string, isUtc: boolean): Timestamp | undefined {
  return typed === "" ? undefined : timestampFromDate(new Date(isUtc ? `${typed}Z` : typed));
}
