import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { assert, boolean, constantFrom, date, integer, property, record } from "fast-check";
import { afterEach, expect, it } from "vitest";
import {
  isComplete,
  scheduleKindOf,
  scheduleOf,
  typedSchedule,
} from "#console/configurations/schedule/typed-schedule.js";
import { CredentialScheduleSchema } from "#gen/learning_credentials/v1/configuration_pb.js";

const { TZ } = process.env;
afterEach(() => {
  process.env.TZ = TZ;
});

const moments = date({ min: new Date("2000-01-01"), max: new Date("2100-01-01"), noInvalidDate: true });
const recurrences = [
  { case: "cron", value: "0 6 * * MON" },
  { case: "cron", value: "30 23 * * MON,SUN" },
  { case: "cron", value: "5 0 * * *" },
  { case: "cron", value: "0 6 28 * *" },
  { case: "cron", value: "0 6 31 * *" },
  { case: "cron", value: "00 6 * * 1-5" },
  { case: "intervalDays", value: 7 },
  { case: "once", value: true },
] as const;

it.each(["UTC", "Europe/Madrid", "Pacific/Kiritimati", "America/St_Johns"])(
  "a schedule that is opened and saved in %s stays as it is, on or off, on days on which clocks change, too",
  (zone) => {
    process.env.TZ = zone;
    assert(
      property(
        record({
          enabled: boolean(),
          timeZone: constantFrom("", "Europe/Madrid"),
          start: moments,
          recurrence: constantFrom(...recurrences),
          length: integer({ min: 1, max: 1e9 }),
        }),
        ({ enabled, timeZone, start, recurrence, length }) => {
          const end = new Date(start.getTime() + length);
          const stored = create(CredentialScheduleSchema, {
            enabled,
            recurrence,
            timeZone,
            startTime: timestampFromDate(start),
            endTime: timestampFromDate(end),
          });
          for (const isUtc of [true, false]) {
            const saved = scheduleOf(typedSchedule(stored, isUtc), stored, isUtc);
            expect(create(CredentialScheduleSchema, saved)).toEqual(stored);
            expect(isComplete(typedSchedule(stored, isUtc))).toBe(true);
          }
        },
      ),
    );
  },
);

it("times are read in the time zone in which they are shown", () => {
  process.env.TZ = "Europe/Madrid";
  const typed = {
    ...typedSchedule(undefined, false),
    kind: "once" as const,
    notBefore: "2026-07-01T06:00",
  };
  const startOf = (isUtc: boolean) => scheduleOf(typed, undefined, isUtc)?.startTime;
  expect(startOf(true)).toEqual(timestampFromDate(new Date("2026-07-01T06:00Z")));
  expect(startOf(false)).toEqual(timestampFromDate(new Date("2026-07-01T04:00Z")));
});

it("days can be typed in digits of any script, and must be whole numbers", () => {
  const typed = (days: string) => ({ ...typedSchedule(undefined, false), kind: "everyDays" as const, days });
  expect(scheduleOf(typed(" ٣٠ "), undefined, false)?.recurrence).toEqual({
    case: "intervalDays",
    value: 30,
  });
  expect(["٣٠", "1", "3650"].map((days) => isComplete(typed(days)))).toEqual([true, true, true]);
  expect(["", "0", "1.5", "-1", "3651", "9999", "12345"].map((days) => isComplete(typed(days)))).toEqual(
    Array(7).fill(false),
  );
});

it.each([
  ["0 6 28 * *", "monthly"],
  ["0 6 29 * *", "byCron"],
  ["0 6 31 * *", "byCron"],
  ["0 6 0 * *", "byCron"],
])("%s is edited as %s", (value, kind) => {
  const recurrence = { case: "cron", value } as const;
  for (const enabled of [true, false]) {
    expect(scheduleKindOf(create(CredentialScheduleSchema, { enabled, recurrence }))).toBe(kind);
  }
});
