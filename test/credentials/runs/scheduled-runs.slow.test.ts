import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { type App, openApp } from "#app/app.js";
import { work } from "#app/work.js";
import { startScheduledRuns } from "#domain/credentials/runs/start-scheduled-runs.js";
import type { CredentialScheduleSchema } from "#gen/learning_credentials/v1/configuration_pb.js";
import { CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import { type IssuanceRun, IssuanceRunState } from "#gen/learning_credentials/v1/issuance_run_pb.js";
import { givenAcademy } from "../../support/academy.js";
import { offerDue, startedRuns } from "./due-schedules.js";

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

type Schedule = MessageInitShape<typeof CredentialScheduleSchema>;

/** Simulates another process, on the same database. */
let other: App;
const logged: string[] = [];
const log = pino({ level: "error" }, { write: (line) => void logged.push(line) });

const academy = givenAcademy({ log });
beforeAll(async () => {
  other = await openApp(academy.service.app.config, log, "own");
});
afterAll(async () => {
  await other.close();
});
beforeEach(async () => {
  logged.length = 0;
  await knex().raw("delete from credential_schedules");
});

const knex = () => academy.service.app.database.knex;
const sweep = (app = academy.service.app, signal = new AbortController().signal) =>
  startScheduledRuns({ ...app, settings: app.config }, signal);

/** Offers the credential in another course, with a schedule that is due. */
async function dueIn(courseKey: string, schedule: Schedule = {}): Promise<number> {
  await academy.report({ case: "course", value: { courseKey, displayName: `Course ${courseKey}` } });
  return due(courseKey, schedule);
}

async function due(learningContextKey: string, schedule: Schedule = {}): Promise<number> {
  const { credentialTypeId } = await academy.configurations.getCredentialConfiguration({
    id: academy.configurationId,
  });
  const { id } = await academy.configurations.createCredentialConfiguration({
    credentialConfiguration: {
      learningContextKey,
      credentialTypeId,
      schedule: { enabled: true, ...schedule },
    },
  });
  await letIntervalEnd(id);
  return id;
}

/** Makes an enabled schedule with an interval due. */
async function letIntervalEnd(id: number): Promise<void> {
  await knex().raw(
    `update credential_schedules
     set counted_from = now() - interval_days * interval '1 day', next_run_at = now()
     where configuration_id = ? and is_enabled and interval_days is not null and starts_at is null`,
    [id],
  );
}

async function runsOf(configurationId: number): Promise<IssuanceRun[]> {
  return (await academy.credentials.listIssuanceRuns({ configurationId })).runs;
}

const scheduleOf = async (id: number) =>
  (await academy.configurations.getCredentialConfiguration({ id })).schedule;

/** Returns the milliseconds until the next run; undefined if there is none. */
async function dueAfter(id: number): Promise<number | undefined> {
  const { nextRunTime } = (await scheduleOf(id)) ?? {};
  return nextRunTime && timestampDate(nextRunTime).getTime() - Date.now();
}

/** Shifts the schedule's times into the past. */
async function age(id: number, by: string): Promise<void> {
  await knex().raw(
    `update credential_schedules set counted_from = counted_from - :by::interval, next_run_at = next_run_at - :by::interval,
       starts_at = starts_at - :by::interval where configuration_id = :id`,
    { id, by },
  );
}

describe("a schedule that is due", () => {
  it("starts a run for eligible learners, and advances", async () => {
    await academy.enrol("sched ana");
    await academy.configurations.updateCredentialConfiguration({
      credentialConfiguration: { id: academy.configurationId, schedule: { enabled: true } },
    });
    await sweep();
    expect(await runsOf(academy.configurationId), "enabling issues nothing").toEqual([]);
    await letIntervalEnd(academy.configurationId);
    await sweep();
    const [run, ...more] = await runsOf(academy.configurationId);
    expect(more).toEqual([]);
    expect(run).toMatchObject({ startedBy: "schedule", state: IssuanceRunState.RUNNING, issuedCount: 1 });
    const { credentials } = await academy.credentials.listCredentials({ username: "sched ana" });
    expect(credentials.map(({ status }) => status)).toEqual([CredentialStatus.GENERATING]);
    // The run was started by the schedule. The credentials are issued by the person who set the schedule.
    expect(await knex()("credentials").where({ username: "sched ana" }).pluck("issued_by")).toEqual([
      "registrar",
    ]);
    expect(await dueAfter(academy.configurationId)).toBeGreaterThan(9 * DAY_MS);

    await sweep();
    expect(await runsOf(academy.configurationId)).toHaveLength(1);
  });

  it("runs once for many missed times, and keeps its rhythm", async () => {
    const id = await dueIn("course-v1:Uni+Missed+1", { recurrence: { case: "intervalDays", value: 3 } });
    await age(id, "100 days");
    await Promise.all([sweep(), sweep(other)]);
    await sweep();
    expect(await runsOf(id)).toHaveLength(1);
    const next = (await dueAfter(id)) ?? 0;
    expect(next).toBeGreaterThan(2 * DAY_MS - HOUR_MS); // 102 days after the first run
    expect(next).toBeLessThan(2 * DAY_MS);
  });

  it("by cron is next due at its next time", async () => {
    const id = await dueIn("course-v1:Uni+Cron+1", {
      recurrence: { case: "cron", value: "0 6 * * *" },
      timeZone: "Europe/Madrid",
    });
    expect(await dueAfter(id)).toBeGreaterThan(0);
    await sweep();
    expect(await runsOf(id)).toEqual([]);
    await age(id, "5 days");
    await sweep();
    expect(await runsOf(id)).toHaveLength(1);
    const { nextRunTime } = (await scheduleOf(id)) ?? {};
    const at = nextRunTime && timestampDate(nextRunTime);
    expect(at && +at).toBeGreaterThan(Date.now());
    expect(at?.toLocaleTimeString("en-GB", { timeZone: "Europe/Madrid" })).toBe("06:00:00");
  });

  it("for a single run has ended afterwards", async () => {
    const startTime = { seconds: BigInt(Math.floor(Date.now() / 1000) + 86_400), nanos: 0 };
    const id = await dueIn("course-v1:Uni+Once+1", {
      recurrence: { case: "once", value: true },
      startTime: startTime as NonNullable<Schedule["startTime"]>,
    });
    await sweep();
    expect(await runsOf(id)).toEqual([]);
    await age(id, "2 days");
    await sweep();
    await sweep();
    expect(await runsOf(id)).toHaveLength(1);
    expect(await scheduleOf(id)).toMatchObject({ enabled: true, lastError: "" });
    expect(await dueAfter(id)).toBeUndefined();
  });

  it("starts nothing if its end has passed meanwhile", async () => {
    const id = await dueIn("course-v1:Uni+Ended+1");
    await knex().raw(
      `update credential_schedules set next_run_at = now() - interval '2 days', ends_at = now() - interval '1 day'
       where configuration_id = ?`,
      [id],
    );
    await sweep();
    expect([await runsOf(id), await dueAfter(id)]).toEqual([[], undefined]);
  });

  it("but disabled starts nothing", async () => {
    const id = await dueIn("course-v1:Uni+Off+1");
    await academy.configurations.updateCredentialConfiguration({
      credentialConfiguration: { id, schedule: { enabled: false } },
    });
    await sweep();
    expect([await runsOf(id), await dueAfter(id)]).toEqual([[], undefined]);
  });

  it("prevents deletion of its configuration while its run starts, without a deadlock", async () => {
    const id = await dueIn("course-v1:Uni+Deleted+1");
    const [swept, deleted] = await Promise.allSettled([
      sweep(),
      academy.configurations.deleteCredentialConfiguration({ id }),
    ]);
    expect([swept.status, deleted.status]).toEqual(["fulfilled", "fulfilled"]);
  });
});

describe("a schedule whose run can't be started", () => {
  it("states the reason, is retried in an hour, and does not delay others", async () => {
    const lost = await due("course-v1:Uni+NoRecord+1");
    const broken = await dueIn("course-v1:Uni+Broken+1");
    const fine = await dueIn("course-v1:Uni+Fine+1");
    const gone = await academy.configurations.createCredentialType({
      credentialType: {
        name: "Of a plug-in that is gone",
        retrievalFunc: "learning_credentials.processors.retrieve_completions",
        generationFunc: "learning_credentials.generators.generate_pdf_credential",
      },
    });
    await knex()("credential_types").where({ id: gone.id }).update({ retrieval_func: "plugin.gone" });
    await knex()("credential_configurations").where({ id: broken }).update({ credential_type_id: gone.id });
    await age(lost, "2 hours");
    await age(broken, "1 hour");

    await sweep();
    expect(await runsOf(fine)).toHaveLength(1);
    expect(await scheduleOf(fine)).toMatchObject({ lastError: "" });
    expect((await scheduleOf(lost))?.lastError).toBe(
      "course-v1:Uni+NoRecord+1 has no record: send one that contains its name, which is printed.",
    );
    expect((await scheduleOf(broken))?.lastError).toContain(
      'retrieval_func is "plugin.gone", which does not exist.',
    );
    for (const id of [lost, broken]) {
      expect(await runsOf(id)).toEqual([]);
      expect(await dueAfter(id)).toBeGreaterThan(HOUR_MS - 60_000);
      expect(await dueAfter(id)).toBeLessThanOrEqual(HOUR_MS);
    }
    expect(logged.filter((line) => line.includes("could not be started"))).toHaveLength(2);

    await academy.report({
      case: "course",
      value: { courseKey: "course-v1:Uni+NoRecord+1", displayName: "Told at last" },
    });
    await age(lost, "1 hour");
    await sweep();
    expect(await runsOf(lost)).toHaveLength(1);
    expect(await scheduleOf(lost)).toMatchObject({ lastError: "" });
    expect(await dueAfter(lost)).toBeGreaterThan(9 * DAY_MS);
  });

  it("because the database is busy is retried in a minute, and does not delay others", async () => {
    const id = await dueIn("course-v1:Uni+Busy+1");
    const other = await dueIn("course-v1:Uni+Busy+2");
    await age(id, "1 hour");
    const lock = await knex().transaction();
    onTestFinished(async () => void (await lock.rollback()));
    await lock.raw("lock table issuance_runs in access exclusive mode");
    const swept = sweep();
    const waiting = `from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and pid <> pg_backend_pid()`;
    await expect.poll(async () => (await knex().raw(`select ${waiting}`)).rows).toHaveLength(1);
    await knex().raw(`select pg_cancel_backend(pid) ${waiting}`);
    await lock.commit();
    await swept;
    expect(await runsOf(id)).toEqual([]);
    expect((await scheduleOf(id))?.lastError).toBe("The database is too busy: try again later.");
    expect(await dueAfter(id)).toBeLessThanOrEqual(60_000);
    expect(await runsOf(other)).toHaveLength(1);

    await age(id, "1 minute");
    await sweep();
    expect(await runsOf(id)).toHaveLength(1);
    expect(await scheduleOf(id)).toMatchObject({ lastError: "" });
  });

  it("is not retried after its end", async () => {
    const id = await due("course-v1:Uni+NoRecord+2");
    await knex().raw(
      "update credential_schedules set ends_at = now() + interval '30 minutes' where configuration_id = ?",
      [id],
    );
    await sweep();
    expect(await dueAfter(id)).toBeUndefined();
    expect((await scheduleOf(id))?.lastError).toContain("has no record");
  });

  it("for a fault of the service gives no details", async () => {
    const id = await dueIn("course-v1:Uni+Fault+1");
    await knex().raw("alter table issuance_runs rename to issuance_runs_elsewhere");
    try {
      await sweep();
    } finally {
      await knex().raw("alter table issuance_runs_elsewhere rename to issuance_runs");
    }
    expect((await scheduleOf(id))?.lastError).toBe("The run could not be started: see the service's log.");
    expect(logged.join("")).toContain("issuance_runs");
  });
});

describe("concurrent processes", () => {
  it("start each of 100 once, in two processes with two loops each", async () => {
    await offerDue(academy, 100);
    await Promise.all([sweep(), sweep(other), sweep(), sweep(other)]);
    expect(await startedRuns(academy)).toEqual({ runs: 100, started: 100, due: 0, failed: 0 });
  });

  it("that die halfway leave the start to the others, which start it once", async () => {
    const id = await dueIn("course-v1:Uni+Killed+1");
    const lock = await knex().transaction();
    onTestFinished(async () => void (await lock.rollback()));
    await lock.raw("lock table issuance_runs in access exclusive mode");
    const died = new AbortController(); // a process that only loses its connection would retry
    const dying = sweep(other, died.signal).catch((error) => error as Error);
    const waiting = `select pid from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and pid <> pg_backend_pid()`;
    await expect.poll(async () => (await knex().raw(waiting)).rows).toHaveLength(1);
    await sweep(); // a schedule that another process is just starting is not due
    await knex().raw(`select pg_terminate_backend(pid) from (${waiting}) as waiting`);
    died.abort();
    expect(await dying).toBeInstanceOf(Error);
    await lock.commit();
    expect(await runsOf(id)).toEqual([]);
    expect(await dueAfter(id)).toBeLessThan(0);
    await Promise.all([sweep(), sweep(other)]);
    expect(await runsOf(id)).toHaveLength(1);
  });

  it("that are stopped start nothing more, and record no error", async () => {
    const id = await dueIn("course-v1:Uni+Stopped+1");
    const lock = await knex().transaction();
    onTestFinished(async () => void (await lock.rollback()));
    await lock.raw("lock table issuance_runs in access exclusive mode");
    const stopping = new AbortController();
    const swept = sweep(academy.service.app, stopping.signal).catch((error) => error as Error);
    const waiting = `select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and pid <> pg_backend_pid()`;
    await expect.poll(async () => (await knex().raw(waiting)).rows).toHaveLength(1);
    stopping.abort();
    expect(await swept).toBeInstanceOf(Error);
    await lock.commit();
    expect(await scheduleOf(id)).toMatchObject({ lastError: "" });
    expect([await runsOf(id), logged]).toEqual([[], []]);
  });

  it("include every worker, which starts due runs within a minute", { timeout: 180_000 }, async () => {
    const id = await dueIn("course-v1:Uni+Worker+1");
    const app = await openApp(academy.service.app.config, log, "own");
    onTestFinished(() => app.close());
    work(app);
    await expect.poll(() => runsOf(id), { timeout: 80_000 }).toHaveLength(1);
  });
});
