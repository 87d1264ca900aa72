import fc from "fast-check";
import { expect, test } from "vitest";
import { endOfValidity } from "#domain/credentials/validity/end-of-validity.js";
import { givenDatabase } from "../../support/database.js";

/**
 * The first and the last time zone in which a day begins, and zones whose clocks change by half an hour, at midnight or
 * never. Zones in which a midnight occurs twice are missing, because PostgreSQL and the service choose different
 * midnights.
 */
const ZONES = [
  "Pacific/Kiritimati",
  "Etc/GMT+12",
  "UTC",
  "Asia/Kathmandu",
  "Europe/Madrid",
  "America/New_York",
  "Australia/Lord_Howe",
  "Africa/Cairo",
];

const postgres = givenDatabase();

interface Question {
  readonly at: string;
  readonly zone: string;
  readonly months: number;
  readonly days: number;
}

/** Computes the ends with the calendar and the time zones of PostgreSQL, which are independent of those of Node.js. */
async function endsByPostgres(questions: readonly Question[]): Promise<string[]> {
  const { rows } = await postgres.database.knex.raw(
    `select to_char(
         (cast((asked.at at time zone asked.zone)::date + make_interval(months => asked.months) as date) + asked.days + 1)
           ::timestamp at time zone asked.zone at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as end
     from json_to_recordset(?::json) as asked (at timestamptz, zone text, months integer, days integer)`,
    [JSON.stringify(questions)],
  );
  return rows.map(({ end }: { end: string }) => end);
}

const ends = (questions: readonly Question[]) =>
  questions.map(({ at, zone, months, days }) => {
    const validity = `P${Math.floor(months / 12)}Y${months % 12}M${days}D`;
    return endOfValidity({ validity }, new Date(at), zone)?.toISOString().replace(".000", "");
  });

test("month ends, 29 February and days of clock changes end as in PostgreSQL's calendar, in every zone", async () => {
  const days = [
    "2027-01-31",
    "2028-01-31",
    "2028-02-28",
    "2028-02-29",
    "2027-08-31",
    "2027-12-31",
    "2026-03-28",
    "2026-03-29",
    "2026-10-24",
    "2026-10-25",
    "2026-04-23",
    "2026-10-29",
  ];
  const hours = [
    "00:00:00",
    "00:59:59",
    "09:59:59",
    "10:00:00",
    "11:59:59",
    "12:00:00",
    "22:30:00",
    "23:59:59",
  ];
  const periods = [
    [0, 1],
    [1, 0],
    [6, 0],
    [12, 0],
    [12, 1],
    [48, 0],
  ] as const;
  const questions = ZONES.flatMap((zone) =>
    days.flatMap((day) =>
      hours.flatMap((hour) =>
        periods.map(([months, days]) => ({ at: `${day}T${hour}Z`, zone, months, days })),
      ),
    ),
  );
  expect(ends(questions)).toEqual(await endsByPostgres(questions));
});

test("any period from any moment ends as in PostgreSQL's calendar", async () => {
  const any = fc.record({
    at: fc
      .date({ min: new Date("2020-01-01"), max: new Date("2060-01-01"), noInvalidDate: true })
      .map((date) => `${date.toISOString().slice(0, 19)}Z`),
    zone: fc.constantFrom(...ZONES),
    months: fc.nat(240),
    days: fc.integer({ min: 1, max: 800 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(any, { minLength: 100, maxLength: 200 }), async (questions) => {
      expect(ends(questions)).toEqual(await endsByPostgres(questions));
    }),
    { numRuns: 10 * Number(process.env.FUZZ_RUNS ?? 1) },
  );
});
