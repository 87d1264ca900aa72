import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Timestamp, timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import type {
  CredentialSchedule,
  CredentialScheduleSchema,
} from "../../../../gen/learning_credentials/v1/configuration_pb.js";
import { asciiDigits } from "../../components/ascii-digits.js";

/** How often runs start. */
export const KINDS = ["byHand", "everyDays", "byCron", "once"] as const;
export type Kind = (typeof KINDS)[number];

/** A schedule as the fields of its form have it. */
export interface TypedSchedule {
  readonly kind: Kind;
  readonly days: string;
  readonly cron: string;
  readonly zone: string;
  readonly notBefore: string;
  readonly notAfter: string;
}

/** What the service takes where a schedule states no interval. */
const DEFAULT_DAYS = "10";

/** @param isUtc whether moments are typed in UTC, and not in the zone of the browser */
export function typedSchedule(schedule: CredentialSchedule | undefined, isUtc: boolean): TypedSchedule {
  const { recurrence } = schedule ?? {};
  return {
    kind: kindOf(schedule),
    days: recurrence?.case === "intervalDays" ? String(recurrence.value) : DEFAULT_DAYS,
    cron: recurrence?.case === "cron" ? recurrence.value : "",
    zone: schedule?.timeZone ?? "",
    notBefore: textOf(schedule?.startTime, isUtc),
    notAfter: textOf(schedule?.endTime, isUtc),
  };
}

export function kindOf(schedule: CredentialSchedule | undefined): Kind {
  if (!schedule?.enabled) return "byHand";
  if (schedule.recurrence.case === "cron") return "byCron";
  return schedule.recurrence.case === "once" ? "once" : "everyDays";
}

/**
 * The schedule that was typed. One that is off keeps nothing else.
 * @param stored the one that was changed: moments that were left alone stay as they are, to the second
 */
export function scheduleOf(
  { kind, days, cron, zone, notBefore, notAfter }: TypedSchedule,
  stored: CredentialSchedule | undefined,
  isUtc: boolean,
): MessageInitShape<typeof CredentialScheduleSchema> | undefined {
  if (kind === "byHand") return undefined;
  const momentOf = (typed: string, before: Timestamp | undefined) =>
    typed === textOf(before, isUtc) ? before : readMoment(typed, isUtc);
  return {
    enabled: true,
    recurrence: {
      everyDays: { case: "intervalDays", value: Number(daysIn(days)) } as const,
      byCron: { case: "cron", value: cron.trim() } as const,
      once: { case: "once", value: true } as const,
    }[kind],
    timeZone: kind === "byCron" ? zone.trim() : "",
    startTime: momentOf(notBefore, stored?.startTime),
    endTime: momentOf(notAfter, stored?.endTime),
  };
}

/** Whether the service can be asked at all: its messages have whole numbers. */
export function isComplete({ kind, days, cron, notBefore }: TypedSchedule): boolean {
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
