import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { formatDate } from "#formats/rendering/design/format-date.js";
import { Problem } from "#foundation/errors.js";

const utc = { timeZone: "UTC", locale: "en-US" };
const morning = new Date("2026-01-05T08:03:09Z");
const evening = new Date("2026-12-31T23:30:00Z");

test.each([
  ["%B %-d, %Y", morning, utc, "January 5, 2026"],
  ["%a %A", morning, utc, "Mon Monday"],
  ["%b %B", morning, utc, "Jan January"],
  ["%d|%-d|%e", morning, utc, "05|5| 5"],
  ["%m|%-m", morning, utc, "01|1"],
  ["%y %Y", morning, utc, "26 2026"],
  ["%j", morning, utc, "005"],
  ["%j", evening, utc, "365"],
  ["%j", new Date("2028-12-31T00:00:00Z"), utc, "366"],
  ["%H:%M %I %p", morning, utc, "08:03 08 AM"],
  ["%H:%M %I %p", evening, utc, "23:30 11 PM"],
  ["%H %I %p", new Date("2026-06-01T00:00:00Z"), utc, "00 12 AM"],
  ["%H %I %p", new Date("2026-06-01T12:00:00Z"), utc, "12 12 PM"],
  ["%x", morning, utc, "01/05/2026"],
  ["%X", morning, utc, "8:03:09 AM"],
  ["%Z", morning, utc, "UTC"],
  ["100%% %Y%%", morning, utc, "100% 2026%"],
  ["no directive", morning, utc, "no directive"],
  ["", morning, utc, ""],
  // day, month and year are those of the time zone
  ["%Y-%m-%d %H:%M", evening, { timeZone: "Asia/Tokyo", locale: "en" }, "2027-01-01 08:30"],
  ["%j", evening, { timeZone: "Asia/Tokyo", locale: "en" }, "001"],
  ["%d %Z", morning, { timeZone: "America/New_York", locale: "en-US" }, "05 EST"],
  ["%d %H", morning, { timeZone: "Pacific/Honolulu", locale: "en-US" }, "04 22"],
  // names follow the locale, and are inflected beside a day
  ["%-d %B %Y", morning, { timeZone: "UTC", locale: "fr-FR" }, "5 janvier 2026"],
  ["%A, %-d. %B %Y", morning, { timeZone: "UTC", locale: "de" }, "Montag, 5. Januar 2026"],
  ["%-d %B", morning, { timeZone: "UTC", locale: "ru" }, "5 января"],
  ["%B %Y", morning, { timeZone: "UTC", locale: "ru" }, "январь 2026"],
  ["%-d %B", morning, { timeZone: "UTC", locale: "el" }, "5 Ιανουαρίου"],
  ["%x", morning, { timeZone: "UTC", locale: "de" }, "05.01.2026"],
  // if the inflected name of the month already contains a preposition, the preposition is not repeated
  ["%-d de %B de %Y", morning, { timeZone: "UTC", locale: "ca" }, "5 de gener de 2026"],
  ["%-d %B", morning, { timeZone: "UTC", locale: "ca" }, "5 de gener"],
  ["%-d de %B", new Date("2026-04-05T08:00:00Z"), { timeZone: "UTC", locale: "ca" }, "5 d’abril"],
  ["%-d d'%B", morning, { timeZone: "UTC", locale: "ca" }, "5 de gener"],
  ["%-d de %b", new Date("2026-10-05T08:00:00Z"), { timeZone: "UTC", locale: "ca-ES" }, "5 d’oct."],
  ["%-d de %B", new Date("2026-08-05T08:00:00Z"), { timeZone: "UTC", locale: "ast" }, "5 d’agostu"],
  ["%-d da %B", morning, { timeZone: "UTC", locale: "rm" }, "5 da schaner"],
  ["%-d tháng %B năm %Y", morning, { timeZone: "UTC", locale: "vi" }, "5 tháng 1 năm 2026"],
  ["%-d de %B de %Y", morning, { timeZone: "UTC", locale: "es" }, "5 de enero de 2026"],
  ["mes de %B", morning, { timeZone: "UTC", locale: "ca" }, "mes de gener"],
  // calendar and digits are the same in every locale
  ["%Y", morning, { timeZone: "UTC", locale: "th-TH" }, "2026"],
  ["%-d %Y", morning, { timeZone: "UTC", locale: "fa-IR" }, "5 2026"],
  ["%B %-d %Y", morning, { timeZone: "UTC", locale: "ja" }, "1月 5 2026"],
])("%j (case %#)", (pattern, date, context, expected) => {
  expect(formatDate(date, pattern, context)).toBe(expected);
});

test.each([
  ["%Q", "%Q"],
  ["%Y %", "%"],
  ["%-Y", "%-Y"],
  ["%-", "%-"],
  ["%é", "%é"],
])("refuses %j, naming %j and the known directives", (pattern, named) => {
  const format = () => formatDate(morning, pattern, utc);
  expect(format).toThrow(Problem);
  expect(format).toThrow(`Unknown directive "${named}"`);
  expect(format).toThrow("%B %d %-d");
});

test.each([
  ["Mars/Olympus", "en"],
  ["UTC", "not a locale"],
])("refuses the zone %j with the locale %j", (timeZone, locale) => {
  expect(() => formatDate(morning, "%Y", { timeZone, locale })).toThrow(
    expect.objectContaining({ kind: "invalid" }),
  );
});

const moment = fc
  .date({ min: new Date("1000-01-01T00:00:00Z"), max: new Date("9999-12-31T23:59:59Z"), noInvalidDate: true })
  .map((date) => new Date(Math.floor(date.getTime() / 1000) * 1000));
/** Directives whose results are the same in English and in the C locale. %x, %X and %Z follow the locale. */
const shared = fc.constantFrom(..."%a %A %b %B %d %-d %e %m %-m %y %Y %j %H %I %M %p %%".split(" "));
const words = fc.string({ unit: fc.constantFrom(..."ab -/.,:é数🎓\n") });

/** Whether `date` is that of coreutils, an independent implementation. BSD's `date` has other options. */
const coreutils =
  spawnSync("date", ["--version"], { encoding: "utf8" }).stdout?.includes("coreutils") ?? false;
if (!coreutils) console.warn("skipped: there is no date of coreutils to compare dates with");

/** Formats many dates in one shell. Starting a process from Node takes longer than formatting all of them. */
const DATES = 'while [ $# -gt 0 ]; do date -u -d "$1" "+$2"; printf "\\0"; shift 2; done';

test.runIf(coreutils)("any pattern at any time gives the output of `date`", () => {
  const pattern = fc
    .array(fc.oneof(shared, words), { minLength: 1, maxLength: 8 })
    .map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(
      fc.array(fc.tuple(moment, pattern), { minLength: 1, size: "max", maxLength: 60 }),
      (dates) => {
        const args = dates.flatMap(([date, pattern]) => [`@${date.getTime() / 1000}`, pattern]);
        const { stdout, stderr } = spawnSync("sh", ["-c", DATES, "sh", ...args], {
          env: { PATH: process.env.PATH, LC_ALL: "C.UTF-8" },
          encoding: "utf8",
        });
        expect(stderr).toBe("");
        const ours = dates.map(([date, pattern]) => `${formatDate(date, pattern, utc)}\n\0`);
        expect(ours.join("")).toBe(stdout);
      },
    ),
    { numRuns: 5 },
  );
});

test("in any text, all directives are filled in, or the unknown one is named", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc
      .array(fc.oneof(shared, words, fc.constantFrom("%", "%-", "%5", "%E", "%x", "%X", "%Z", "%\ud83c")))
      .map((all) => all.join("")),
  );
  const zone = fc.constantFrom("UTC", "Asia/Kathmandu", "America/St_Johns", "Pacific/Apia");
  const locale = fc.constantFrom("en-US", "de", "ar", "fa-IR", "th-TH", "ja", "uk");
  const known = /^(?:[^%]|%(?:[aAbBdempyYjHIMpxXZ%]|-[dm]))*$/s;
  fc.assert(
    fc.property(moment, text, zone, locale, (date, pattern, timeZone, locale) => {
      const format = () => formatDate(date, pattern, { timeZone, locale });
      if (known.test(pattern)) expect(format()).not.toMatch(/NaN|undefined|null|Invalid/);
      else expect(format).toThrow(/^Unknown directive "%/);
    }),
    { numRuns: 300 },
  );
});
