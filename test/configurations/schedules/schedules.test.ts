import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { beforeAll, describe, expect, it } from "vitest";
import type {
  CredentialConfiguration,
  CredentialScheduleSchema,
} from "#gen/learning_credentials/v1/configuration_pb.js";
import { givenAcademy } from "../../support/academy.js";
import { refusal } from "../../support/refusal.js";

type Schedule = MessageInitShape<typeof CredentialScheduleSchema>;

const DAY_MS = 24 * 60 * 60 * 1000;

const academy = givenAcademy({ settings: { TIME_ZONE: "America/Bogota" } });
let typeId: number;
let made = 0;

beforeAll(async () => {
  const { configurations, configurationId } = academy;
  typeId = (await configurations.getCredentialConfiguration({ id: configurationId })).credentialTypeId;
});

const knex = () => academy.service.app.database.knex;
const inDays = (days: number) =>
  timestampFromDate(new Date(Math.floor(Date.now() / 1000) * 1000 + days * DAY_MS));

const create = (schedule?: Schedule) =>
  academy.configurations.createCredentialConfiguration({
    credentialConfiguration: {
      learningContextKey: `course-v1:Uni+S${made++}+2026`,
      credentialTypeId: typeId,
      ...(schedule && { schedule }),
    },
  });

const update = (id: number, schedule: Schedule | undefined, paths?: string[]) =>
  academy.configurations.updateCredentialConfiguration({
    credentialConfiguration: { id, ...(schedule && { schedule }) },
    ...(paths && { updateMask: { paths } }),
  });

/** Reads the schedule again, individually and from the list. */
async function read(id: number): Promise<CredentialConfiguration["schedule"]> {
  const one = await academy.configurations.getCredentialConfiguration({ id });
  const { credentialConfigurations } = await academy.configurations.listCredentialConfigurations({
    learningContextKey: one.learningContextKey,
  });
  expect(credentialConfigurations).toEqual([one]);
  return one.schedule;
}

/** Expects a time between `from` and `to`, in seconds from now. */
function expectInSeconds(
  time: Parameters<typeof timestampDate>[0] | undefined,
  from: number,
  to: number,
): void {
  const seconds = time ? (timestampDate(time).getTime() - Date.now()) / 1000 : Number.NaN;
  expect(seconds).toBeGreaterThanOrEqual(from);
  expect(seconds).toBeLessThanOrEqual(to);
}

describe("the schedule of a configuration", () => {
  it("is absent unless it is set; by default, it is disabled and every ten days", async () => {
    const without = await create();
    expect(without.schedule).toBeUndefined();
    const { id, schedule } = await create({});
    expect(schedule).toMatchObject({
      enabled: false,
      recurrence: { case: "intervalDays", value: 10 },
      timeZone: "",
      lastError: "",
    });
    expect([schedule?.startTime, schedule?.endTime, schedule?.nextRunTime]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(await read(id)).toEqual(schedule);
  });

  it.each<[string, Schedule, from: number, to: number]>([
    ["by interval: after the interval", { enabled: true }, 863_900, 864_000],
    [
      "by interval from a start: then",
      { enabled: true, recurrence: { case: "intervalDays", value: 3 }, startTime: inDays(1) },
      86_300,
      86_400,
    ],
    [
      "by interval from a start that was long ago: when the next is due",
      { enabled: true, recurrence: { case: "intervalDays", value: 3 }, startTime: inDays(-8) },
      86_300,
      86_400,
    ],
    [
      "by cron: at the next time",
      { enabled: true, recurrence: { case: "cron", value: "* * * * *" }, timeZone: "Europe/Madrid" },
      -1,
      60,
    ],
    [
      "once: then",
      { enabled: true, recurrence: { case: "once", value: true }, startTime: inDays(2), endTime: inDays(3) },
      172_700,
      172_800,
    ],
  ])("has its first run %s, and is returned as it was given", async (_, given, from, to) => {
    const { id, schedule } = await create(given);
    expect(schedule).toMatchObject(given as object);
    expectInSeconds(schedule?.nextRunTime, from, to);
    expect(await read(id)).toEqual(schedule);
  });

  it("without a time zone uses that of the service, for cron", async () => {
    const { schedule } = await create({ enabled: true, recurrence: { case: "cron", value: "0 6 * * *" } });
    const next = schedule?.nextRunTime && timestampDate(schedule.nextRunTime);
    // Bogotá is five hours behind UTC, all year round
    expect(next?.toISOString().slice(11)).toBe("11:00:00.000Z");
  });

  it("ignores fields that the service sets", async () => {
    const { schedule } = await create({ nextRunTime: inDays(1), lastError: "x" });
    expect([schedule?.nextRunTime, schedule?.lastError]).toEqual([undefined, ""]);
  });

  const cron = (value: string): Schedule => ({ recurrence: { case: "cron", value } });
  it.each<[string, Schedule, string]>([
    ["four fields", cron("0 6 * *"), 'schedule.cron is "0 6 * *"; it must have five fields'],
    ["six fields", cron("0 0 6 * * *"), 'schedule.cron is "0 0 6 * * *"; it must have five fields'],
    ["nothing", cron(""), 'schedule.cron is ""; it must have five fields'],
    ["a nickname", cron("@daily"), 'schedule.cron is "@daily"; it must have five fields'],
    ["a question mark", cron("0 6 ? * MON"), 'schedule.cron is "0 6 ? * MON"; it must have five fields'],
    ["far too much", cron(`${"0,".repeat(50)}0 6 * * *`), 'schedule.cron is "0,0,'],
    [
      "a minute that there is not",
      cron("60 6 * * *"),
      'schedule.cron is "60 6 * * *", which is not a cron time: ',
    ],
    [
      "a name that there is not",
      cron("0 6 * * XYZ"),
      'schedule.cron is "0 6 * * XYZ", which is not a cron time: ',
    ],
    ["the 30th of February", cron("0 0 30 2 *"), 'schedule.cron is "0 0 30 2 *", a time that never occurs.'],
    [
      "an unknown zone",
      { timeZone: "Mars/Base" },
      'schedule.time_zone is "Mars/Base"; it must be the IANA name',
    ],
    [
      "an interval of no day",
      { recurrence: { case: "intervalDays", value: 0 } },
      "schedule.interval_days is 0; it must be 1 to 3650.",
    ],
    [
      "an interval beyond ten years",
      { recurrence: { case: "intervalDays", value: 3651 } },
      "schedule.interval_days is 3651; it must be 1 to 3650.",
    ],
    [
      "once, at no time",
      { recurrence: { case: "once", value: true } },
      "schedule.start_time is missing: a schedule that runs once needs it.",
    ],
    [
      "not once",
      { recurrence: { case: "once", value: false } },
      "schedule.once is false: set it to true, or set interval_days or cron.",
    ],
    ["an end at its start", { startTime: inDays(1), endTime: inDays(1) }, "schedule.end_time is 2"],
    [
      "a start beyond all years",
      { startTime: timestampOf(253_402_300_800n) },
      "schedule.start_time is 253402300800 s and 0 ns after 1970",
    ],
    [
      "a start in the past, once",
      { ...once(inDays(-1)), enabled: true },
      "schedule would never start a run: ",
    ],
    ["an end in the past", { enabled: true, endTime: inDays(-1) }, "schedule would never start a run: "],
    [
      "an end before its first time",
      { enabled: true, ...cron("0 0 29 2 *"), endTime: inDays(1) },
      "schedule would never start a run: ",
    ],
  ])("with %s is refused, and changes nothing", async (_, given, message) => {
    const { id } = await create({ timeZone: "Asia/Tokyo" });
    const before = await read(id);
    for (const call of [() => create(given), () => update(id, given)]) {
      const refused = await refusal(call());
      expect(refused.slice(0, "InvalidArgument: ".length + message.length)).toBe(
        `InvalidArgument: ${message}`,
      );
    }
    expect(await read(id)).toEqual(before);
  });

  function once(startTime: Schedule["startTime"]): Schedule {
    return { recurrence: { case: "once", value: true }, ...(startTime && { startTime }) };
  }

  it("can be stored disabled, with any times", async () => {
    const given = { ...once(inDays(-1)), endTime: inDays(0) };
    expect((await create(given)).schedule).toMatchObject({ enabled: false, ...given });
  });
});

describe("updating a schedule", () => {
  it("replaces it as a whole, and doesn't change it if the update mask does not name it", async () => {
    const { id } = await create({ enabled: true, timeZone: "Asia/Tokyo", endTime: inDays(100) });
    const known = await read(id);
    await update(id, undefined);
    await update(id, { timeZone: "Asia/Seoul" }, ["custom_options"]);
    expect(await read(id)).toEqual(known);
    await update(id, { recurrence: { case: "intervalDays", value: 4 } });
    const { endTime, ...changed } = (await read(id)) ?? {};
    expect([changed, endTime]).toEqual([
      expect.objectContaining({
        enabled: false,
        recurrence: { case: "intervalDays", value: 4 },
        timeZone: "",
      }),
      undefined,
    ]);
  });

  it.each([["schedule"], ["*"]])(
    "removes it where the mask names it as %s, and it is absent",
    async (path) => {
      const { id } = await create({ enabled: true });
      expect((await update(id, undefined, [path])).schedule).toBeUndefined();
      expect(await read(id)).toBeUndefined();
    },
  );

  it("with equal values leaves its state unchanged, even if it has ended", async () => {
    const { id, schedule } = await create({
      enabled: true,
      recurrence: { case: "once", value: true },
      startTime: inDays(1),
    });
    await knex().raw(
      `update credential_schedules set starts_at = starts_at - interval '2 days', next_run_at = null,
         last_error = 'It failed.' where configuration_id = ?`,
      [id],
    );
    const ended = await read(id);
    expect(ended).toMatchObject({ lastError: "It failed." });
    expect((await update(id, ended)).schedule).toEqual(ended);
    expect(await refusal(update(id, { ...(ended as Schedule), timeZone: "UTC" }))).toContain(
      "would never start a run",
    );
    expect((await update(id, { ...(schedule as Schedule), startTime: inDays(4) })).schedule).toMatchObject({
      nextRunTime: inDaysOf(4),
      lastError: "",
    });
  });

  const inDaysOf = (days: number) => {
    const { seconds } = inDays(days);
    return expect.objectContaining({
      seconds: expect.toSatisfy((it: bigint) => it >= seconds - 60n && it <= seconds),
    });
  };

  it("keeps the start of an interval, until it is disabled and enabled", async () => {
    const { id } = await create({ enabled: true, recurrence: { case: "intervalDays", value: 10 } });
    const move = (days: number) =>
      knex().raw(
        `update credential_schedules set counted_from = counted_from - interval '${days} days',
           next_run_at = next_run_at - interval '${days} days' where configuration_id = ?`,
        [id],
      );
    await move(7);
    const interval = (value: number) => ({ recurrence: { case: "intervalDays" as const, value } });
    const changed = await update(id, { enabled: true, ...interval(4) });
    expectInSeconds(changed.schedule?.nextRunTime, 86_300, 86_400);
    await update(id, { enabled: false, ...interval(4) });
    expect((await read(id))?.nextRunTime).toBeUndefined();
    const restarted = await update(id, { enabled: true, ...interval(4) });
    expectInSeconds(restarted.schedule?.nextRunTime, 345_500, 345_600);
  });

  it("does not lose a run that is due", async () => {
    const { id } = await create({ enabled: true, recurrence: { case: "intervalDays", value: 10 } });
    await knex().raw(
      `update credential_schedules
       set counted_from = counted_from - interval '10 days', next_run_at = next_run_at - interval '10 days'
       where configuration_id = ?`,
      [id],
    );
    const { schedule } = await update(id, { enabled: true, timeZone: "Asia/Tokyo" });
    expectInSeconds(schedule?.nextRunTime, -30, 0);
  });

  it("keeps a pending retry of a run that could not be started, unless the schedule now starts later", async () => {
    const cron = { enabled: true, recurrence: { case: "cron" as const, value: "0 0 29 2 *" } };
    const { id } = await create(cron);
    await knex().raw(
      `update credential_schedules set next_run_at = now() + interval '1 hour', last_error = 'It failed.'
       where configuration_id = ?`,
      [id],
    );
    const failed = await read(id);
    expectInSeconds(failed?.nextRunTime, 3500, 3600);
    const { nextRunTime, lastError } = failed ?? {};
    for (const timeZone of ["Asia/Tokyo", "Asia/Seoul"])
      expect((await update(id, { ...cron, timeZone })).schedule).toMatchObject({ nextRunTime, lastError });
    const once = { enabled: true, recurrence: { case: "once" as const, value: true } };
    const past = { ...once, startTime: inDays(-1) };
    expect((await update(id, past)).schedule).toMatchObject({ nextRunTime, lastError });
    const later = { ...once, startTime: inDays(4) };
    const { schedule } = await update(id, later);
    expect(schedule).toMatchObject({ nextRunTime: later.startTime, lastError: "" });
  });

  it("drops a pending retry at or after its end", async () => {
    const { id } = await create({ enabled: true, recurrence: { case: "intervalDays", value: 10 } });
    await knex().raw(
      `update credential_schedules set next_run_at = now() + interval '3 days', last_error = 'It failed.'
       where configuration_id = ?`,
      [id],
    );
    expect(await refusal(update(id, { enabled: true, endTime: inDays(2) }))).toContain(
      "would never start a run",
    );
  });

  it("can disable it when the type's function no longer exists", async () => {
    const { id } = await create({ enabled: true });
    await knex()("credential_types").where({ id: typeId }).update({ retrieval_func: "plugin.gone" });
    try {
      expect((await update(id, { enabled: false })).schedule).toMatchObject({ enabled: false });
    } finally {
      const retrieval_func = "learning_credentials.processors.retrieve_subsection_grades";
      await knex()("credential_types").where({ id: typeId }).update({ retrieval_func });
    }
  });

  it("is deleted with its configuration", async () => {
    const { id } = await create({ enabled: true });
    await academy.configurations.deleteCredentialConfiguration({ id });
    expect(await knex()("credential_schedules").where({ configuration_id: id })).toEqual([]);
  });
});

function timestampOf(seconds: bigint): NonNullable<Schedule["startTime"]> {
  return { seconds, nanos: 0 } as NonNullable<Schedule["startTime"]>;
}

describe("the next times of a schedule that is being created", () => {
  const timesOf = async (schedule: Schedule) => {
    const { runTimes: times, timeZone } = await academy.configurations.previewSchedule({ schedule });
    return [timeZone, times.map((time) => timestampDate(time).toISOString().slice(0, 16))];
  };
  const from = (moment: string) => timestampFromDate(new Date(moment));
  const sundays = { recurrence: { case: "cron", value: "30 2 * * SUN" } } as const;

  it.each<[string, Schedule, string, string[]]>([
    [
      "are shifted where clocks skip them",
      { ...sundays, timeZone: "Europe/Madrid", startTime: from("2027-03-20T12:00Z") },
      "Europe/Madrid",
      ["2027-03-21T01:30", "2027-03-28T01:30", "2027-04-04T00:30", "2027-04-11T00:30", "2027-04-18T00:30"],
    ],
    [
      "are once where clocks show them twice",
      { ...sundays, timeZone: "Europe/Madrid", startTime: from("2027-10-23T12:00Z") },
      "Europe/Madrid",
      ["2027-10-24T00:30", "2027-10-31T00:30", "2027-11-07T01:30", "2027-11-14T01:30", "2027-11-21T01:30"],
    ],
    [
      "are in the service's time zone, and end",
      { ...sundays, startTime: from("2027-03-20T12:00Z"), endTime: from("2027-03-30T12:00Z") },
      "America/Bogota",
      ["2027-03-21T07:30", "2027-03-28T07:30"],
    ],
    [
      "count days of 24 hours",
      { recurrence: { case: "intervalDays", value: 7 }, startTime: from("2027-03-27T12:00Z"), timeZone: "" },
      "America/Bogota",
      ["2027-03-27T12:00", "2027-04-03T12:00", "2027-04-10T12:00", "2027-04-17T12:00", "2027-04-24T12:00"],
    ],
    [
      "are one, once",
      { recurrence: { case: "once", value: true }, startTime: from("2027-03-27T12:00Z") },
      "America/Bogota",
      ["2027-03-27T12:00"],
    ],
  ])("%s", async (_, schedule, zone, times) => {
    expect(await timesOf(schedule)).toEqual([zone, times]);
  });
});
