import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addDays, addMonths, dayOf, formatDay, parseDay, startOfDay } from "#foundation/calendar/day.js";
import { addPeriod, parsePeriod } from "#foundation/calendar/period.js";

const day = (text: string) => parseDay(text) ?? expect.fail(`${text} is no day`);

describe("days", () => {
  test.each([
    ["2026-01-31", 1, "2026-02-28"],
    ["2024-01-31", 1, "2024-02-29"],
    ["2024-02-29", 12, "2025-02-28"],
    ["2024-02-29", 48, "2028-02-29"],
    ["2026-08-31", 18, "2028-02-29"],
    ["2026-12-31", 2, "2027-02-28"],
    ["2026-12-01", 1, "2027-01-01"],
    ["1999-11-30", 3, "2000-02-29"],
    ["2099-02-28", 12, "2100-02-28"],
  ])("%s and %i months are %s", (from, months, to) => {
    expect(formatDay(addMonths(day(from), months))).toBe(to);
  });

  test.each([
    "2026-02-29",
    "2026-13-01",
    "2026-00-10",
    "2026-1-1",
    "2026-01-32",
    "",
    "P1Y",
    "2026-01-01T00:00",
  ])("%j is not a day", (text) => {
    expect(parseDay(text)).toBeUndefined();
  });

  test.each([
    ["P2Y", "2026-05-20", "2028-05-20"],
    ["P18M", "2026-05-31", "2027-11-30"],
    ["P1Y6M", "2026-08-31", "2028-02-29"],
    ["P1M1D", "2026-01-31", "2026-03-01"], // months are added first
    ["P30D", "2026-02-15", "2026-03-17"],
    ["P6W", "2026-02-15", "2026-03-29"],
    ["P0D", "2026-02-15", "2026-02-15"],
  ])("%s from %s on ends on %s", (period, from, to) => {
    expect(formatDay(addPeriod(day(from), parsePeriod(period) ?? expect.fail(period)))).toBe(to);
  });

  test.each(["P", "PT1H", "P1Y2W", "P-1Y", "P1.5Y", "1Y", "p1y", "P1D1Y", "P1YT", "P 1Y"])(
    "%j is not a period",
    (text) => {
      expect(parsePeriod(text)).toBeUndefined();
    },
  );

  test.each([
    ["Pacific/Kiritimati", "2026-05-21", "2026-05-20T10:00:00Z"], // +14
    ["Etc/GMT+12", "2026-05-21", "2026-05-21T12:00:00Z"], // -12
    ["Asia/Kathmandu", "2026-05-21", "2026-05-20T18:15:00Z"],
    ["Europe/Madrid", "2026-03-29", "2026-03-28T23:00:00Z"], // clocks are advanced in that night
    ["Europe/Madrid", "2026-03-30", "2026-03-29T22:00:00Z"],
    ["Europe/Madrid", "2026-10-26", "2026-10-25T23:00:00Z"],
    ["America/Havana", "2026-11-01", "2026-11-01T04:00:00Z"], // the hour after midnight occurs twice
    ["Africa/Cairo", "2026-04-24", "2026-04-23T22:00:00Z"], // the day begins at 01:00
    ["Atlantic/Azores", "2026-10-25", "2026-10-25T00:00:00Z"], // the hour before midnight occurs twice
    ["Pacific/Apia", "2011-12-30", "2011-12-30T10:00:00Z"], // the zone skips this day
  ])("in %s, %s begins at %s", (timeZone, text, moment) => {
    expect(startOfDay(day(text), timeZone)).toEqual(new Date(moment));
  });

  test("end where the next one begins, in every zone and at every change of clocks", () => {
    const zones = Intl.supportedValuesOf("timeZone");
    const moments = fc.date({
      min: new Date("1990-01-01"),
      max: new Date("2090-01-01"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(fc.constantFrom(...zones), moments, (timeZone, moment) => {
        const today = dayOf(moment, timeZone);
        const end = startOfDay(addDays(today, 1), timeZone);
        expect(end > moment).toBe(true);
        expect(dayOf(new Date(end.getTime() - 1), timeZone)).toEqual(today);
        expect(formatDay(dayOf(end, timeZone)) > formatDay(today)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});
