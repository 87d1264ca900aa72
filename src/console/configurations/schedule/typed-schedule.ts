import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Timestamp, timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import type {
  CredentialSchedule,
  CredentialScheduleSchema,
} from "#gen/learning_credentials/v1/configuration_pb.js";
import { asciiDigits } from "../../components/ascii-digits.js";

/** How often runs start. */
export const KINDS = ["byHand", "weekly", "monthly", "everyDays", "once", "byCron"] as const;
export type Kind = (typeof KINDS)[number];

/** A schedule as the fields of its form have it. */
export interface TypedSchedule {
  readonly kind: Kind;
  readonly days: string;
  /** Of a weekly one, those of `WEEKDAYS`. */
  readonly weekdays: readonly Weekday[];
  /** Of a monthly one. */
  readonly day: string;
  /** Of a weekly or monthly one, as `06:00`. */
  readonly time: string;
  readonly cron: string;
  readonly zone: string;
  readonly notBefore: string;
  readonly notAfter: string;
}

/** As cron names them. */
export const WEEKDAYS = ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** Days, or a day of the month, at a time: what most schedules are. */
export type Times = Pick<TypedSchedule, "weekdays" | "day" | "time"> & {
  readonly kind: "weekly" | "monthly";
};

/** The cron expression of such times. */
function cronOf({ kind, weekdays, day, time }: Times): string {
  const [hour, minute] = time.split(":").map(Number);
  const chosen = WEEKDAYS.filter((each) => weekdays.includes(each));
  if (kind === "monthly") return `${minute} ${hour} ${Number(asciiDigits(day))} * *`;
  return `${minute} ${hour} * * ${chosen.length === WEEKDAYS.length ? "*" : chosen.join(",")}`;
}

/** Reads a cron expression that `cronOf` would write; undefined for any other. */
export function timesIn(cron: string): Times | undefined {
  const [, minute = "", hour = "", day = "", weekdays = ""] =
    /^(\d{1,2}) (\d{1,2}) (\*|\d{1,2}) \* (\*|[A-Z,]+)$/.exec(cron) ?? [];
  const times: Times = {
    kind: day === "*" ? "weekly" : "monthly",
    weekdays: weekdays === "*" ? WEEKDAYS : WEEKDAYS.filter((each) => weekdays.split(",").includes(each)),
    day: day === "*" ? "1" : day,
    time: `${hour.padStart(2, "0")}:${minute.padStart(2, "0")}`,
  };
  return minute !== "" && cronOf(times) === cron ? times : undefined;
}

/** What the service takes where a schedule states no interval. */
const DEFAULT_DAYS = "10";

/** @param isUtc whether moments are typed in UTC, and not in the zone of the browser */
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
    kind: kindOf(schedule),
  };
}

export function kindOf(schedule: CredentialSchedule | undefined): Kind {
  if (!schedule?.enabled) return "byHand";
  if (schedule.recurrence.case === "cron") return timesIn(schedule.recurrence.value)?.kind ?? "byCron";
  return schedule.recurrence.case === "once" ? "once" : "everyDays";
}

/**
 * The schedule that was typed. One that is off keeps nothing else.
 * @param stored the one that was changed: moments that were left alone stay as they are, to the second
 */
export function scheduleOf(
  typed: TypedSchedule,
  stored: CredentialSchedule | undefined,
  isUtc: boolean,
): MessageInitShape<typeof CredentialScheduleSchema> | undefined {
  const { kind, days, cron, zone, notBefore, notAfter } = typed;
  if (kind === "byHand") return undefined;
  const momentOf = (text: string, before: Timestamp | undefined) =>
    text === textOf(before, isUtc) ? before : readMoment(text, isUtc);
  const byCron = (value: string) => ({ case: "cron", value }) as const;
  return {
    enabled: true,
    recurrence: {
      everyDays: { case: "intervalDays", value: Number(daysIn(days)) } as const,
      weekly: byCron(cronOf({ ...typed, kind: "weekly" })),
      monthly: byCron(cronOf({ ...typed, kind: "monthly" })),
      byCron: byCron(cron.trim()),
      once: { case: "once", value: true } as const,
    }[kind],
    timeZone: hasZone(kind) ? zone.trim() : "",
    startTime: momentOf(notBefore, stored?.startTime),
    endTime: momentOf(notAfter, stored?.endTime),
  };
}

/** Whether times are those of a time zone. */
export function hasZone(kind: Kind): boolean {
  return kind === "byCron" || kind === "weekly" || kind === "monthly";
}

/** Whether the service can be asked at all: its messages have whole numbers. */
export function isComplete({ kind, days, cron, notBefore, weekdays, day, time }: TypedSchedule): boolean {
  if (kind === "weekly") return weekdays.length > 0 && time !== "";
  if (kind === "monthly") return /^(?:[1-9]|1\d|2[0-8])$/.test(daysIn(day)) && time !== "";
  if (kind === "everyDays") return /^[1-9]\d{0,3}$/.test(daysIn(days));
  if (kind === "byCron") return cron.trim() !== "";
  return kind === "byHand" || notBefore !== "";
}

function daysIn(typed: string): string {
  return asciiDigits(typed).trim();
}

/** A moment as `datetime-local` has it: `2026-11-23T06:00`. */
function textOf(moment: Timestamp | undefined, isUtc: boolean): string {
  if (!moment) return "";
  const time = timestampDate(moment);
  const shifted = isUtc ? time : new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, "2026-11-23T06:00".length);
}

function readMoment(typed: string, isUtc: boolean): Timestamp | undefined {
  return typed === "" ? undefined : timestampFromDate(new Date(isUtc ? `${typed}Z` : typed));
}
