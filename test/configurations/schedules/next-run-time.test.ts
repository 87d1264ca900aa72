import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nextRunTime } from "#domain/configurations/schedules/next-run-time.js";
import type { Recurrence } from "#domain/configurations/schedules/schedule.js";

type Schedule = Parameters<typeof nextRunTime>[0];

const at = (text: string) => new Date(text);
const schedule = (recurrence: Recurrence, over: Partial<Schedule> = {}): Schedule => ({
  recurrence,
  timeZone: "Europe/Madrid",
  startAt: null,
  endAt: null,
  countedFrom: at("2026-01-01T10:30:00Z"),
  ...over,
});
const days = (count: number): Recurrence => ({ kind: "interval", days: count });
const cron = (expression: string): Recurrence => ({ kind: "cron", expression });
const once: Recurrence = { kind: "once" };

/** Returns the first times of a schedule after a given time, without the end that all times have in common. */
function times(of: Schedule, from: string, count: number): (string | null)[] {
  const found: (string | null)[] = [];
  for (let moment = at(from); found.length < count; ) {
    const next = nextRunTime(of, moment, "UTC");
    found.push(next?.toISOString().replace(":00.000Z", "Z") ?? null);
    if (next === null) break;
    moment = new Date(next.getTime() + 1);
  }
  return found;
}

describe("the next run of a schedule", () => {
  it.each<[string, Schedule, from: string, (string | null)[]]>([
    [
      "every ten days, starting ten days after the schedule was enabled",
      schedule(days(10)),
      "2026-01-01T10:30:00Z",
      ["2026-01-11T10:30Z", "2026-01-21T10:30Z", "2026-01-31T10:30Z"],
    ],
    [
      "every ten days, starting at its start time",
      schedule(days(10), { startAt: at("2026-01-01T10:30:00Z") }),
      "2026-01-01T10:30:00Z",
      ["2026-01-01T10:30Z", "2026-01-11T10:30Z", "2026-01-21T10:30Z"],
    ],
    ["not before the requested time", schedule(days(10)), "2026-01-01T10:30:00.001Z", ["2026-01-11T10:30Z"]],
    [
      "in the usual rhythm after many missed runs",
      schedule(days(7)),
      "2026-09-01T00:00:00Z",
      ["2026-09-03T10:30Z"],
    ],
    [
      "every 24 hours for an interval, even if clocks change",
      schedule(days(1), { countedFrom: at("2026-03-27T05:00:00Z") }),
      "2026-03-28T05:00:00Z",
      ["2026-03-28T05:00Z", "2026-03-29T05:00Z", "2026-03-30T05:00Z"],
    ],
    [
      "at the same local time before and after clocks go forward",
      schedule(cron("0 6 * * *")),
      "2026-03-28T00:00:00Z",
      ["2026-03-28T05:00Z", "2026-03-29T04:00Z", "2026-03-30T04:00Z"],
    ],
    [
      "at the same local time before and after clocks go back",
      schedule(cron("0 6 * * *")),
      "2026-10-24T00:00:00Z",
      ["2026-10-24T04:00Z", "2026-10-25T05:00Z", "2026-10-26T05:00Z"],
    ],
    [
      "an hour later on the day when clocks skip the local time",
      schedule(cron("30 2 * * *")),
      "2026-03-28T00:00:00Z",
      ["2026-03-28T01:30Z", "2026-03-29T01:30Z", "2026-03-30T00:30Z"],
    ],
    [
      "once on the day when clocks show the local time twice",
      schedule(cron("30 2 * * *")),
      "2026-10-24T00:00:00Z",
      ["2026-10-24T00:30Z", "2026-10-25T00:30Z", "2026-10-26T01:30Z"],
    ],
    [
      "on the next day if clocks have shown the local time once and will show it again",
      schedule(cron("30 2 * * *")),
      "2026-10-25T00:45:00Z",
      ["2026-10-26T01:30Z"],
    ],
    [
      "on a day of the week that is given by name",
      schedule(cron("0 6 * * MON")),
      "2026-03-20T00:00:00Z",
      ["2026-03-23T05:00Z", "2026-03-30T04:00Z"],
    ],
    [
      "in the service's time zone if the schedule has none",
      schedule(cron("0 6 * * *"), { timeZone: "" }),
      "2026-07-01T00:00:00Z",
      ["2026-07-01T06:00Z"],
    ],
    [
      "at the requested time if that is the start of a minute",
      schedule(cron("* * * * *")),
      "2026-07-01T06:00:00Z",
      ["2026-07-01T06:00Z", "2026-07-01T06:01Z"],
    ],
    [
      "at the start of the next minute if the requested time is within a minute",
      schedule(cron("* * * * *")),
      "2026-07-01T06:00:00.500Z",
      ["2026-07-01T06:01Z"],
    ],
    [
      "on the 29th of February",
      schedule(cron("0 0 29 2 *"), { timeZone: "UTC" }),
      "2026-03-01T00:00:00Z",
      ["2028-02-29T00:00Z"],
    ],
    [
      "not before the start time",
      schedule(cron("0 6 * * *"), { startAt: at("2026-07-10T12:00:00Z") }),
      "2026-07-01T00:00:00Z",
      ["2026-07-11T04:00Z"],
    ],
    [
      "at the start time, and not at the end time",
      schedule(days(1), {
        startAt: at("2026-07-10T12:00:00Z"),
        countedFrom: at("2026-07-10T12:00:00Z"),
        endAt: at("2026-07-12T12:00:00Z"),
      }),
      "2026-07-01T00:00:00Z",
      ["2026-07-10T12:00Z", "2026-07-11T12:00Z", null],
    ],
    [
      "absent if the next time is after the end",
      schedule(cron("0 6 * * *"), { endAt: at("2026-07-01T04:00:00Z") }),
      "2026-07-01T00:00:00Z",
      [null],
    ],
    [
      "once",
      schedule(once, { startAt: at("2026-07-10T12:00:00Z") }),
      "2026-07-10T12:00:00Z",
      ["2026-07-10T12:00Z", null],
    ],
    [
      "absent if the only run was missed",
      schedule(once, { startAt: at("2026-07-10T12:00:00Z") }),
      "2026-07-10T12:00:00.001Z",
      [null],
    ],
  ])("is %s", (_, of, from, expected) => {
    expect(times(of, from, expected.length)).toEqual(expected);
  });

  const moment = fc.date({
    min: at("2026-01-01T00:00:00Z"),
    max: at("2040-01-01T00:00:00Z"),
    noInvalidDate: true,
  });
  const recurrence = fc.oneof(
    fc.integer({ min: 1, max: 3650 }).map(days),
    fc.constantFrom("0 6 * * MON", "*/15 2 * * *", "30 2 29 2 *", "0 0 L * *").map(cron),
    fc.constant(once),
  );

  it("is never before the given time or the start, never at or after the end, and always the earliest one", () => {
    fc.assert(
      fc.property(
        recurrence,
        fc.option(moment),
        fc.option(moment),
        moment,
        moment,
        (recurrence, startAt, endAt, countedFrom, from) => {
          const of = schedule(recurrence, {
            timeZone: "UTC",
            startAt,
            endAt,
            countedFrom: startAt ?? countedFrom,
          });
          const next = nextRunTime(of, from, "UTC");
          if (next === null) return;
          expect(+next).toBeGreaterThanOrEqual(+from);
          if (startAt) expect(+next).toBeGreaterThanOrEqual(+startAt);
          if (endAt) expect(+next).toBeLessThan(+endAt);
          expect(nextRunTime(of, next, "UTC")).toEqual(next);
          const between = new Date((+from + +next) / 2);
          expect(nextRunTime(of, between, "UTC")).toEqual(next);
        },
      ),
      { numRuns: 300 },
    );
  });
});
