import { readdir } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { CredentialStatus } from "../../../gen/learning_credentials/v1/credential_pb.js";
import {
  type IssuanceRun,
  IssuanceRunState,
  SkipReason,
} from "../../../gen/learning_credentials/v1/issuance_run_pb.js";
import { findActive, insertCredential } from "../../../src/credentials/credential-store.js";
import { endDoneRuns } from "../../../src/credentials/runs/end-done-runs.js";
import { endRuns, findDoneRuns, lockRunning } from "../../../src/credentials/runs/run-store.js";
import { watchIssuanceRun } from "../../../src/credentials/runs/watch-issuance-run.js";
import type { Database } from "../../../src/db/database.js";
import { work } from "../../../src/work.js";
import { type Academy, openAcademy } from "../academy.js";

const NO_GLYPH = "\u{10FFFD}";
const UNKNOWN = "00000000-0000-4000-8000-000000000000";

let academy: Academy;
let database: Database;
let typeId: number;
beforeAll(async () => {
  academy = await openAcademy();
  database = academy.service.app.database;
  const { configurations, configurationId } = academy;
  ({ credentialTypeId: typeId } = await configurations.getCredentialConfiguration({ id: configurationId }));
});
afterAll(() => academy.service.stop());
beforeEach(() => database.knex.raw("delete from graphile_worker._private_jobs"));

type Kind = Parameters<Academy["tell"]>[number];

interface Offer {
  readonly courseKey: string;
  readonly configurationId: number;
  /** Imports records of learners of the course who are eligible. */
  enrol(...usernames: string[]): Promise<void>;
}

let offers = 0;

/** Offers a credential in a course of its own to learners who are eligible. */
async function offer(...usernames: string[]): Promise<Offer> {
  const courseKey = `course-v1:Uni+R${++offers}+2026`;
  await academy.tell(course(courseKey));
  const { id: configurationId } = await academy.configurations.createCredentialConfiguration({
    credentialConfiguration: { learningContextKey: courseKey, credentialTypeId: typeId },
  });
  const enrol = (...some: string[]) => academy.tell(...some.flatMap((name) => eligible(courseKey, name)));
  if (usernames.length > 0) await enrol(...usernames);
  return { courseKey, configurationId, enrol };
}

const course = (courseKey: string, displayName = "A Course"): Kind => ({
  case: "course",
  value: { courseKey, displayName, gradingPolicy: [{ assignmentType: "Exam", weight: 1 }] },
});
const named = (username: string, fullName = `Learner ${username}`): Kind => ({
  case: "learner",
  value: { username, fullName },
});
const enrolled = (learningContextKey: string, username: string): Kind => ({
  case: "enrollment",
  value: { username, learningContextKey },
});
const exam = (courseKey: string, username: string, earned = 9): Kind => ({
  case: "subsectionGrade",
  value: { username, courseKey, usageKey: "exam", assignmentType: "Exam", earned, possible: 10 },
});
const eligible = (courseKey: string, username: string) => [
  named(username),
  enrolled(courseKey, username),
  exam(courseKey, username),
];

async function start(configurationId: number, planHash = ""): Promise<IssuanceRun> {
  const { run } = await academy.credentials.startIssuanceRun({ configurationId, planHash });
  if (!run) throw new Error("no run was started");
  return run;
}

async function plan(configurationId: number) {
  const { plan, run } = await academy.credentials.startIssuanceRun({ configurationId, dryRun: true });
  expect(run).toBeUndefined();
  if (!plan) throw new Error("there is no plan");
  return plan;
}

interface Row {
  readonly id: number;
  readonly uuid: string;
  readonly username: string;
  readonly status: string;
  readonly user_full_name: string;
  readonly run_id: string | null;
}

/** Returns the credentials of a configuration, by username. */
async function issued(configurationId: number): Promise<Record<string, Row>> {
  const rows: Row[] = await database
    .knex("credentials")
    .where({ configuration_id: configurationId })
    .orderBy("username");
  expect(new Set(rows.map(({ username }) => username)).size).toBe(rows.length);
  return Object.fromEntries(rows.map((row) => [row.username, row]));
}

/** Returns the events of the configuration's credentials, in order: `issued null -> generating`. */
async function events(configurationId: number): Promise<string[]> {
  const { rows } = await database.knex.raw(
    `select type, status_before, status_after, name from (
       select id, type, status_before, status_after, actor_id, configuration_id from unsealed_credential_events
       union all
       select -1, type, status_before, status_after, actor_id, configuration_id from credential_events
     ) event join credential_event_actors actor on actor.id = actor_id
     where configuration_id = ? order by event.id`,
    [configurationId],
  );
  return rows.map(
    (event: { type: string; status_before: string; status_after: string; name: string }) =>
      `${event.type} ${event.status_before} -> ${event.status_after} by ${event.name}`,
  );
}

const get = (id: string) => academy.credentials.getIssuanceRun({ id });

async function refusal(call: Promise<unknown>): Promise<[code: string | undefined, message: string]> {
  const error = await call.then(
    () => undefined,
    (reason) => ConnectError.from(reason),
  );
  return [error && Code[error.code], error?.rawMessage ?? "it was answered"];
}

/** Ends the attempts of these credentials. An attempt for a username with "fails" in it fails. */
async function makeAll(configurationId: number): Promise<void> {
  for (const { id, username, status } of Object.values(await issued(configurationId))) {
    if (status === "generating") await make(id, username.includes("fails"));
  }
}

async function make(id: number, fails = false): Promise<void> {
  const files = { put: () => Promise.reject(new Error("disk full")) };
  await academy.generate(id, fails ? { files, isLastAttempt: true } : {}).catch(() => {});
}

const counts = ({ state, issuedCount, generatingCount, availableCount, failedCount }: IssuanceRun) => [
  IssuanceRunState[state],
  issuedCount,
  generatingCount,
  availableCount,
  failedCount,
];

const skips = ({ skipped }: { skipped: { reason: SkipReason; count: number }[] }) =>
  Object.fromEntries(skipped.map(({ reason, count }) => [SkipReason[reason], count]));

describe("a plan", () => {
  it("lists who is issued to, who is skipped and why, and changes nothing", async () => {
    const { configurationId, courseKey, enrol } = await offer("has", "had", "new", "retried");
    await enrol("blank", "spaces", "nameless", "unprintable", "ineligible");
    await academy.tell(
      named("blank", ""),
      named("spaces", " \u00a0"),
      named("unprintable", `Ana ${NO_GLYPH}`),
      exam(courseKey, "ineligible", 7),
    );
    await academy.withdraw(named("nameless"));
    const issue = (username: string) => academy.credentials.issueCredential({ configurationId, username });
    await issue("has");
    await academy.invalidate((await issue("had")).uuid);
    await academy.fail((await issue("retried")).uuid);
    const before = [await issued(configurationId), await events(configurationId), await academy.jobs()];

    expect(await plan(configurationId)).toMatchObject({
      planHash: expect.stringMatching(/^2\.3\.[0-9a-f]{64}$/),
      issueCount: 2,
      usernames: ["new", "retried"],
      retryCount: 1,
      skipped: [
        { reason: SkipReason.HAS_CREDENTIAL, count: 1 },
        { reason: SkipReason.WITHDRAWN, count: 1 },
        { reason: SkipReason.NO_FULL_NAME, count: 2 },
        { reason: SkipReason.UNPRINTABLE_NAME, count: 1 },
      ],
      skippedLearners: [
        {
          username: "blank",
          reason: SkipReason.NO_FULL_NAME,
          detail: expect.stringContaining("no full name"),
        },
        { username: "spaces", reason: SkipReason.NO_FULL_NAME },
        {
          username: "unprintable",
          reason: SkipReason.UNPRINTABLE_NAME,
          detail: expect.stringContaining(
            `No font can print "${NO_GLYPH}" (U+10FFFD), which the learner's full name contains.`,
          ),
        },
      ],
    });
    expect([await issued(configurationId), await events(configurationId), await academy.jobs()]).toEqual(
      before,
    );
    expect((await academy.credentials.listIssuanceRuns({ configurationId })).runs).toEqual([]);
  });

  it("is carried out as it was shown", async () => {
    const { configurationId, enrol } = await offer("b", "a", "Z");
    await enrol("unprintable");
    await academy.tell(named("unprintable", NO_GLYPH));
    const { planHash, usernames } = await plan(configurationId);
    expect(await plan(configurationId)).toMatchObject({ planHash });
    await academy.tell({
      case: "learner",
      value: { username: "a", fullName: "Learner a", email: "new@uni.test" },
    });
    const run = await start(configurationId, planHash);
    expect([usernames, Object.keys(await issued(configurationId))]).toEqual([
      ["Z", "a", "b"],
      ["Z", "a", "b"],
    ]);
    expect([counts(run), skips(run)]).toEqual([["RUNNING", 3, 3, 0, 0], { UNPRINTABLE_NAME: 1 }]);
  });

  const changes: [what: string, change: (of: Offer) => Promise<unknown>, now: string][] = [
    ["a grade", ({ courseKey }) => academy.tell(exam(courseKey, "plan b", 1)), "issue 1 and pass over 0"],
    ["a newcomer", ({ enrol }) => enrol("plan c"), "issue 3 and pass over 0"],
    [
      "a swap",
      async ({ enrol, courseKey }) => {
        await enrol("plan c");
        await academy.tell(exam(courseKey, "plan b", 1));
      },
      "issue 2 and pass over 0 for their names now, but not the same",
    ],
    ["a name", () => academy.tell(named("plan b", "Another Name")), "issue 2 and pass over 0"],
    [
      "a name that can't be printed",
      () => academy.tell(named("plan b", NO_GLYPH)),
      "issue 1 and pass over 1",
    ],
    ["the name of the course", ({ courseKey }) => academy.tell(course(courseKey, "Renamed")), "issue 2"],
    [
      "an option",
      ({ configurationId: id }) =>
        academy.configurations.updateCredentialConfiguration({
          credentialConfiguration: { id, customOptions: { accent_color: "#123456" } },
          updateMask: { paths: ["custom_options"] },
        }),
      "issue 2",
    ],
    [
      "a credential that somebody else issues",
      ({ configurationId }) => academy.credentials.issueCredential({ configurationId, username: "plan a" }),
      "issue 1 and pass over 0",
    ],
  ];

  it.each(changes)("is refused after a change of %s", async (_, change, now) => {
    const of = await offer("plan a", "plan b");
    const { planHash } = await plan(of.configurationId);
    await change(of);
    const before = Object.keys(await issued(of.configurationId));
    const [code, message] = await refusal(start(of.configurationId, planHash));
    expect(code).toBe("Aborted");
    expect(message).toContain("it was to issue 2 and pass over 0 for their names, and is to");
    expect(message).toContain(now);
    expect(message).toContain("Look at the plan again (dry_run), and start the run with its plan_hash.");
    expect(Object.keys(await issued(of.configurationId))).toEqual(before);
    await start(of.configurationId, (await plan(of.configurationId)).planHash);
  });

  it("is refused after a new version of an asset that is printed", async () => {
    const of = await offer("asset a");
    const upload = async (svg: string) => {
      const bytes = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">${svg}</svg>`);
      await academy.configurations.uploadAsset(
        (async function* () {
          yield { part: { case: "header" as const, value: { slug: "crest", size: bytes.length } } };
          yield { part: { case: "chunk" as const, value: bytes } };
        })(),
      );
    };
    await upload('<rect width="10" height="10"/>');
    await academy.configurations.updateCredentialConfiguration({
      credentialConfiguration: {
        id: of.configurationId,
        customOptions: { images: [{ asset: "crest", x: 1, y: 1, width: 10, height: 10 }] },
      },
      updateMask: { paths: ["custom_options"] },
    });
    const { planHash } = await plan(of.configurationId);
    await upload('<rect width="9" height="9"/>');
    expect((await refusal(start(of.configurationId, planHash)))[0]).toBe("Aborted");
  });

  it.each(["x", "1.2", `1.2.${"0".repeat(63)}`, `1.2.${"G".repeat(64)}`])(
    "with the hash %j is refused as it is",
    async (planHash) => {
      const { configurationId } = await offer("malformed");
      const [code, message] = await refusal(start(configurationId, planHash));
      expect([code, message]).toEqual([
        "InvalidArgument",
        expect.stringContaining("as it came with the plan"),
      ]);
    },
  );
});

describe("a run", () => {
  it("leaves out the only one of 10,000 who is not eligible", async () => {
    const { configurationId, courseKey } = await offer();
    const told = "now(), false from generate_series(1, 10000) as number";
    await database.knex.raw(
      `insert into learners (username, email, full_name, is_active, locale, observed_at, is_deleted)
         select 'one of many ' || number, '', 'Učenik ' || number, true, '', ${told};
       insert into enrollments (learning_context_key, username, is_active, observed_at, is_deleted)
         select '${courseKey}', 'one of many ' || number, true, ${told};
       insert into subsection_grades
         (course_key, username, usage_key, assignment_type, earned, possible, observed_at, is_deleted)
         select '${courseKey}', 'one of many ' || number, 'exam', 'exam',
           case number when 4711 then 7.999999 else 8 end, 10, ${told};`,
    );
    const { planHash, issueCount, usernames } = await plan(configurationId);
    expect([issueCount, usernames.length]).toEqual([9999, 1000]);
    const run = await start(configurationId, planHash);
    expect([counts(run), run.skipped]).toEqual([["RUNNING", 9999, 9999, 0, 0], []]);
    const { rows } = await database.knex.raw(
      `select username from enrollments where learning_context_key = ?
       except select username from credentials where run_id = ?::uuid`,
      [courseKey, run.id],
    );
    expect(rows).toEqual([{ username: "one of many 4711" }]);
    expect((await academy.jobs()).length).toBe(9999);
  });

  it("remarks on a credential issued to the person who started it", async () => {
    const { configurationId } = await offer("registrar", "another");
    await start(configurationId);
    const { rows } = await database.knex.raw(
      `select username, remarks from (
         select credential_uuid as uuid, remarks from unsealed_credential_events
         union all select credential_uuid, remarks from credential_events
       ) event join credentials using (uuid) where configuration_id = ? order by username`,
      [configurationId],
    );
    expect(rows).toEqual([
      { username: "another", remarks: [] },
      { username: "registrar", remarks: ["self_issued"] },
    ]);
  });

  it("issues what IssueCredential would, each with its event and its job", async () => {
    const { configurationId } = await offer("alone", "together a", "together b");
    const alone = await academy.credentials.issueCredential({ configurationId, username: "alone" });
    const run = await start(configurationId);
    expect(run).toMatchObject({ configurationId, startedBy: "registrar", issuedCount: 2 });
    const rows = await issued(configurationId);
    for (const username of ["together a", "together b"]) {
      const { id, uuid, verify_uuid, created_at, commitment_seed, ...row } = rows[username] as Row &
        Record<string, unknown>;
      const like = rows.alone as Row & Record<string, unknown>;
      expect(row).toEqual({
        ...Object.fromEntries(Object.keys(row).map((name) => [name, like[name]])),
        username,
        user_full_name: `Learner ${username}`,
        run_id: run.id,
      });
      expect(created_at).toEqual(expect.any(Date));
      expect(commitment_seed).toHaveLength(32);
    }
    expect(await academy.jobs()).toEqual(
      ["alone", "together a", "together b"].map((username) => rows[username]?.id),
    );
    expect(await events(configurationId)).toEqual(Array(3).fill("issued null -> generating by registrar"));
    await makeAll(configurationId);
    const made = await academy.credentials.getCredential({ uuid: rows["together a"]?.uuid ?? "" });
    expect([alone.status, made.status]).toEqual([CredentialStatus.GENERATING, CredentialStatus.AVAILABLE]);
  });

  it("retries a failed credential under the same identifiers, and leaves existing ones alone", async () => {
    const { configurationId } = await offer("there", "failed");
    const issue = (username: string) => academy.credentials.issueCredential({ configurationId, username });
    await make(await academy.idOf((await issue("there")).uuid));
    const failed = await issue("failed");
    await academy.fail(failed.uuid);
    await academy.tell(named("failed", "Mended Name"));
    const there = (await issued(configurationId)).there;

    const run = await start(configurationId);
    expect([counts(run), skips(run)]).toEqual([["RUNNING", 1, 1, 0, 0], { HAS_CREDENTIAL: 1 }]);
    const rows = await issued(configurationId);
    expect(rows.there).toEqual(there);
    expect(rows.failed).toMatchObject({
      uuid: failed.uuid,
      verify_uuid: failed.verifyUuid,
      status: "generating",
      error_reason: "",
      user_full_name: "Mended Name",
      run_id: run.id,
    });
    expect((await events(configurationId)).at(-1)).toBe("issued error -> generating by registrar");
    expect(await academy.jobs()).toEqual([rows.failed?.id]);
  });

  it("over a learning path issues to those who are eligible in each of its courses", async () => {
    const [one, two] = [await offer("both", "first only"), await offer("both", "no path")];
    await one.enrol("no path");
    const pathKey = `path-v1:Uni+P+${offers}+all`;
    await academy.tell(
      {
        case: "learningPath",
        value: { pathKey, displayName: "A Path", stepCourseKeys: [one.courseKey, two.courseKey] },
      },
      enrolled(pathKey, "both"),
      enrolled(pathKey, "first only"),
    );
    const { id: configurationId } = await academy.configurations.createCredentialConfiguration({
      credentialConfiguration: { learningContextKey: pathKey, credentialTypeId: typeId },
    });
    await start(configurationId);
    expect(await issued(configurationId)).toEqual({
      both: expect.objectContaining({ learning_context_key: pathKey, learning_context_name: "A Path" }),
    });
  });

  it("with nothing to issue is complete at once", async () => {
    const { configurationId } = await offer();
    const run = await start(configurationId);
    expect([counts(run), run.endTime]).toEqual([["COMPLETE", 0, 0, 0, 0], expect.anything()]);
    expect(await academy.jobs()).toEqual([]);
  });

  it.each([0, 1, 2, 17, 100])("skips the %i of 100 whose names can't be printed", async (bad) => {
    const usernames = Array.from({ length: 100 }, (_, index) => `printed ${index}`);
    const { configurationId } = await offer(...usernames);
    const unprintable = usernames.filter((_, index) => (index * 37) % 100 < bad);
    await academy.tell(
      ...usernames.map((name) => named(name, unprintable.includes(name) ? `Ana ${NO_GLYPH}` : "Ana Kovač")),
    );
    const run = await start(configurationId);
    expect(run.issuedCount).toBe(100 - bad);
    expect(skips(run)).toEqual(bad === 0 ? {} : { UNPRINTABLE_NAME: bad });
    expect(Object.keys(await issued(configurationId)).sort()).toEqual(
      usernames.filter((name) => !unprintable.includes(name)).sort(),
    );
  });

  it("is refused if the fault concerns all learners", async () => {
    const { configurationId, courseKey } = await offer("refused");
    await academy.tell(course(courseKey, `Course ${NO_GLYPH}`));
    expect(await refusal(plan(configurationId))).toEqual([
      "FailedPrecondition",
      expect.stringContaining("which the learning context name contains"),
    ]);
    await academy.withdraw(course(courseKey));
    expect(await refusal(start(configurationId))).toEqual([
      "FailedPrecondition",
      `${courseKey} has no record: send one, so that its name can be printed.`,
    ]);
    expect((await refusal(start(99_999)))[0]).toBe("NotFound");
  });
});

/** Counts the statements that wait for a lock. */
async function waiting(): Promise<number> {
  const { rows } = await database.knex.raw(
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rows.length;
}

describe("concurrently", () => {
  it("a change while a run is planned applies to the whole plan", async () => {
    const { configurationId, courseKey } = await offer("planned a", "planned b");
    const blocking = await database.knex.transaction();
    await blocking.raw("lock table enrollments in access exclusive mode");
    const running = start(configurationId); // it has read the policy, and is about to read who is enrolled
    await expect.poll(waiting, { interval: 10 }).toBe(1);
    const gradingPolicy = [
      { assignmentType: "Exam", weight: 0.5 },
      { assignmentType: "Lab", weight: 0.5 },
    ];
    await academy.tell({ case: "course", value: { courseKey, displayName: "A Course", gradingPolicy } });
    await blocking.commit();
    expect(counts(await running)).toEqual(["COMPLETE", 0, 0, 0, 0]);
  });

  it("runs and single calls give each learner one credential and one job, and none of them fails", async () => {
    const usernames = Array.from({ length: 60 }, (_, index) => `racing ${index}`);
    const { configurationId } = await offer(...usernames);
    const [runs] = await Promise.all([
      Promise.all(Array.from({ length: 4 }, () => start(configurationId))),
      ...usernames
        .filter((_, index) => index % 3 === 0)
        .map((username) => academy.credentials.issueCredential({ configurationId, username })),
    ]);
    const rows = Object.values(await issued(configurationId));
    expect(rows.length).toBe(60);
    expect(new Set(await academy.jobs())).toEqual(new Set(rows.map(({ id }) => id)));
    expect((await academy.jobs()).length).toBe(60);
    for (const run of runs) {
      expect(run.issuedCount).toBe(rows.filter(({ run_id }) => run_id === run.id).length);
      expect(run.issuedCount + (skips(run).HAS_CREDENTIAL ?? 0)).toBe(60);
    }
    expect((await events(configurationId)).length).toBe(60);
  });

  it("a learner to whom another caller issues after planning counts as having a credential", async () => {
    const { configurationId } = await offer("quick", "slow", "withdrawn");
    const other = await database.knex.transaction();
    const like = await academy.credentials.issueCredential({ configurationId, username: "withdrawn" });
    const template = await findActive(database.knex, { configurationId, username: "withdrawn" });
    await academy.invalidate(like.uuid);
    if (!template) throw new Error("it is gone");
    await insertCredential(other, { ...template, username: "quick", issuedBy: "somebody else" });
    const running = start(configurationId);
    await expect.poll(waiting, { interval: 10 }).toBe(1);
    await other.commit();
    const run = await running;
    expect([counts(run), skips(run)]).toEqual([["RUNNING", 1, 1, 0, 0], { HAS_CREDENTIAL: 1, WITHDRAWN: 1 }]);
    const { rows } = await database.knex.raw(
      "select username, issued_by from credentials where configuration_id = ? and status = 'generating' order by username",
      [configurationId],
    );
    expect(rows).toEqual([
      { username: "quick", issued_by: "somebody else" },
      { username: "slow", issued_by: "registrar" },
    ]);
  });
});

describe("the end of a run", () => {
  it("comes when its last credential is available or has failed, and its report stays", async () => {
    const { configurationId } = await offer("end a", "end b", "end fails");
    const { id } = await start(configurationId);
    const rows = await issued(configurationId);
    await endDoneRuns(database);
    expect(counts(await get(id))).toEqual(["RUNNING", 3, 3, 0, 0]);
    await make(rows["end a"]?.id ?? 0);
    await make(rows["end fails"]?.id ?? 0, true);
    await endDoneRuns(database);
    const running = await get(id);
    expect([counts(running), running.endTime]).toEqual([["RUNNING", 3, 1, 1, 1], undefined]);
    await academy.invalidate(rows["end a"]?.uuid ?? "");
    expect(counts(await get(id))).toEqual(["RUNNING", 3, 1, 1, 1]);
    await make(rows["end b"]?.id ?? 0);

    await Promise.all(Array.from({ length: 8 }, () => endDoneRuns(database)));
    const report = await get(id);
    expect([counts(report), report.endTime]).toEqual([["COMPLETE", 3, 0, 2, 1], expect.anything()]);
    const reason = "The document could not be made; the log says why.";
    expect(report.failures).toMatchObject([{ uuid: rows["end fails"]?.uuid, username: "end fails", reason }]);

    await academy.invalidate(rows["end b"]?.uuid ?? "");
    await academy.credentials.issueCredential({ configurationId, username: "end fails" });
    await endDoneRuns(database);
    expect(await get(id)).toEqual(report);
  });

  it("stores no names: they are looked up when the report is shown", async () => {
    const { configurationId } = await offer("kept fails");
    const { id } = await start(configurationId);
    await makeAll(configurationId);
    await endDoneRuns(database);
    const { rows } = await database.knex.raw(
      `select to_jsonb(run) as run, to_jsonb(failure) as failure
       from issuance_runs run join issuance_run_failures failure on run_id = id where id = ?::uuid`,
      [id],
    );
    expect(rows.length).toBe(1);
    expect(JSON.stringify(rows)).not.toContain("kept fails");
    expect((await get(id)).failures).toMatchObject([{ username: "kept fails" }]);
  });

  it("waits for a credential that is retried individually while others are generating", async () => {
    const { configurationId } = await offer("again", "other");
    const { id } = await start(configurationId);
    const first = await issued(configurationId);
    await make(first.again?.id ?? 0, true);
    await academy.credentials.issueCredential({ configurationId, username: "again" });
    await make(first.other?.id ?? 0);
    await endDoneRuns(database);
    expect(counts(await get(id))).toEqual(["RUNNING", 2, 1, 1, 0]);
    await makeAll(configurationId);
    await endDoneRuns(database);
    expect(counts(await get(id))).toEqual(["COMPLETE", 2, 0, 2, 0]);
  });

  it("counts a credential that a later run retries as failed in this one", async () => {
    const { configurationId } = await offer("taken", "slow one");
    const first = await start(configurationId);
    await make((await issued(configurationId)).taken?.id ?? 0, true);
    const second = await start(configurationId);
    expect(counts(second)).toEqual(["RUNNING", 1, 1, 0, 0]);
    expect(counts(await get(first.id))).toEqual(["RUNNING", 2, 1, 0, 1]);
    await makeAll(configurationId);
    await endDoneRuns(database);
    expect(counts(await get(first.id))).toEqual(["COMPLETE", 2, 0, 1, 1]);
    expect(counts(await get(second.id))).toEqual(["COMPLETE", 1, 0, 1, 0]);
  });
});

describe("a cancelled run", () => {
  it("fails generating credentials, removes their jobs from the queue, and leaves available ones", async () => {
    const { configurationId } = await offer("made", "waiting a", "waiting b");
    const elsewhere = await offer("not concerned");
    await start(elsewhere.configurationId);
    const { id } = await start(configurationId);
    await make((await issued(configurationId)).made?.id ?? 0);
    const cancelled = await academy.credentials.cancelIssuanceRun({ id });
    expect([counts(cancelled), cancelled.endTime]).toEqual([["CANCELLED", 3, 0, 1, 2], expect.anything()]);
    expect(cancelled.failures).toMatchObject([
      { username: "waiting a", reason: "The run was cancelled." },
      { username: "waiting b", reason: "The run was cancelled." },
    ]);
    const rows = await issued(configurationId);
    expect(rows.made?.status).toBe("available");
    expect(rows["waiting a"]).toMatchObject({ status: "error", error_reason: "The run was cancelled." });
    const left = [rows.made?.id, (await issued(elsewhere.configurationId))["not concerned"]?.id];
    expect((await academy.jobs()).sort()).toEqual(left.sort());
    expect((await events(configurationId)).slice(-2)).toEqual(
      Array(2).fill("failed generating -> error by registrar"),
    );
    expect(await academy.credentials.cancelIssuanceRun({ id })).toEqual(cancelled);
    await endDoneRuns(database);
    expect(await get(id)).toEqual(cancelled);
  });

  it("supersedes an attempt in progress, which deletes its file", async () => {
    const { configurationId } = await offer("under way");
    const { id } = await start(configurationId);
    const credential = (await issued(configurationId))["under way"] as Row;
    await database.knex.raw(
      "update graphile_worker._private_jobs set locked_at = now(), locked_by = 'a worker'",
    );
    const { files } = academy.service.app;
    await academy.generate(credential.id, {
      files: {
        async put(...file) {
          await files.put(...file);
          await academy.credentials.cancelIssuanceRun({ id });
        },
      },
    });
    expect((await issued(configurationId))["under way"]).toMatchObject({ status: "error", file_key: null });
    expect(await academy.filesOf(credential.uuid)).toEqual([]);
    expect(await academy.jobs()).toEqual([credential.id]);
    expect(counts(await get(id))).toEqual(["CANCELLED", 1, 0, 0, 1]);
  });

  it("that had already ended stays unchanged", async () => {
    const { configurationId } = await offer("ended");
    const { id } = await start(configurationId);
    await makeAll(configurationId);
    await endDoneRuns(database);
    const report = await get(id);
    expect(await academy.credentials.cancelIssuanceRun({ id })).toEqual(report);
  });
});

describe("a run that is retried", () => {
  it("generates failed credentials from the current records, for learners who are still eligible", async () => {
    const names = ["retry fails", "renamed fails", "dropped fails", "unprintable fails", "retry made"];
    const { configurationId, courseKey } = await offer(...names);
    const { id } = await start(configurationId);
    await makeAll(configurationId);
    await endDoneRuns(database);
    expect(counts(await get(id))).toEqual(["COMPLETE", 5, 0, 1, 4]);
    const before = await issued(configurationId);
    await academy.tell(
      named("renamed fails", "Renamed"),
      exam(courseKey, "dropped fails", 1),
      named("unprintable fails", NO_GLYPH),
      ...eligible(courseKey, "newcomer"),
    );
    await database.knex.raw("delete from graphile_worker._private_jobs");

    const running = await academy.credentials.retryIssuanceRun({ id });
    expect([counts(running), running.endTime]).toEqual([["RUNNING", 5, 2, 1, 2], undefined]);
    expect(running.failures.map(({ username }) => username)).toEqual(["dropped fails", "unprintable fails"]);
    const after = await issued(configurationId);
    expect(after["renamed fails"]).toMatchObject({
      uuid: before["renamed fails"]?.uuid,
      status: "generating",
      user_full_name: "Renamed",
    });
    expect(after["retry made"]).toEqual(before["retry made"]);
    expect(after.newcomer).toBeUndefined();
    expect(await academy.jobs()).toEqual([after["renamed fails"]?.id, after["retry fails"]?.id]);

    for (const username of ["renamed fails", "retry fails"]) await make(after[username]?.id ?? 0);
    await endDoneRuns(database);
    const report = await get(id);
    expect(counts(report)).toEqual(["COMPLETE", 5, 0, 3, 2]);
    expect(report.failures.map(({ username }) => username)).toEqual(["dropped fails", "unprintable fails"]);
  });

  it("is complete after it was cancelled, too", async () => {
    const { configurationId } = await offer("resumed a", "resumed b");
    const { id } = await start(configurationId);
    const [old] = Object.values(await issued(configurationId));
    await academy.credentials.cancelIssuanceRun({ id });
    expect(counts(await academy.credentials.retryIssuanceRun({ id }))).toEqual(["RUNNING", 2, 2, 0, 0]);
    await make(old?.id ?? 0); // an attempt from before the retry finds no row to write to
    expect(counts(await get(id))).toEqual(["RUNNING", 2, 2, 0, 0]);
    await makeAll(configurationId);
    await endDoneRuns(database);
    expect(counts(await get(id))).toEqual(["COMPLETE", 2, 0, 2, 0]);
  });

  it("is not ended by a worker that looked before the retry", async () => {
    const { configurationId } = await offer("looked fails");
    const { id } = await start(configurationId);
    await makeAll(configurationId);
    const done = await findDoneRuns(database.knex);
    expect(done).toContain(id);
    await academy.credentials.retryIssuanceRun({ id });
    await database.knex.transaction(async (transaction) => {
      await endRuns(transaction, await lockRunning(transaction, done), "complete");
    });
    expect(counts(await get(id))).toEqual(["RUNNING", 1, 1, 0, 0]);
  });

  it("ends at once if there is nothing to retry", async () => {
    const { configurationId } = await offer("fine", "mended fails");
    const { id } = await start(configurationId);
    await makeAll(configurationId);
    await endDoneRuns(database);
    await academy.credentials.issueCredential({ configurationId, username: "mended fails" });
    await make((await issued(configurationId))["mended fails"]?.id ?? 0);
    expect(counts(await academy.credentials.retryIssuanceRun({ id }))).toEqual(["COMPLETE", 2, 0, 2, 0]);
  });
});

describe("a client that reads runs", () => {
  it("finds the latest first, page by page", async () => {
    const { configurationId } = await offer("listed");
    const ids = [];
    for (let i = 0; i < 5; i++) ids.unshift((await start(configurationId)).id);
    const seen: string[] = [];
    let pageToken = "";
    do {
      const page = await academy.credentials.listIssuanceRuns({ configurationId, pageSize: 2, pageToken });
      seen.push(...page.runs.map(({ id }) => id));
      pageToken = page.nextPageToken;
    } while (pageToken !== "");
    expect(seen).toEqual(ids);
    const all = await academy.credentials.listIssuanceRuns({ pageSize: 1000 });
    expect(all.runs.slice(0, 5).map(({ id }) => id)).toEqual(ids);
  });

  it.each(["getIssuanceRun", "cancelIssuanceRun", "retryIssuanceRun"] as const)(
    "is told by %s that there is none",
    async (method) => {
      for (const id of [UNKNOWN, "x", ""]) {
        expect(await refusal(academy.credentials[method]({ id }))).toEqual([
          "NotFound",
          "Issuance run not found.",
        ]);
      }
    },
  );

  it("follows one to its end", async () => {
    const { configurationId } = await offer("followed a", "followed b");
    const { id } = await start(configurationId);
    const [a, b] = Object.values(await issued(configurationId));
    const seen: unknown[][] = [];
    for await (const run of academy.credentials.watchIssuanceRun({ id })) {
      seen.push(counts(run));
      if (seen.length === 1) await make(a?.id ?? 0);
      if (seen.length === 2) await make(b?.id ?? 0);
      await endDoneRuns(database);
    }
    expect(seen).toEqual([
      ["RUNNING", 2, 2, 0, 0],
      ["RUNNING", 2, 1, 1, 0],
      ["COMPLETE", 2, 0, 2, 0],
    ]);
  });

  it("stops following as soon as the client disconnects", async () => {
    const { configurationId } = await offer("left");
    const { id } = await start(configurationId);
    const leaving = new AbortController();
    const watching = watchIssuanceRun(database, id, leaving.signal);
    await watching.next();
    const next = watching.next();
    await sleep(50);
    leaving.abort();
    await expect(next).rejects.toThrow();
    expect(await watching.next()).toEqual({ done: true, value: undefined });
  });
});

it("two workers generate one document for each credential", async () => {
  const busy = await openAcademy({ worker: true });
  try {
    work(busy.service.app);
    const usernames = Array.from({ length: 40 }, (_, index) => `worked ${index}`);
    await busy.enrol(...usernames);
    const { run } = await busy.credentials.startIssuanceRun({ configurationId: busy.configurationId });
    let last: IssuanceRun | undefined;
    for await (const report of busy.credentials.watchIssuanceRun({ id: run?.id ?? "" })) last = report;
    expect(last && counts(last)).toEqual(["COMPLETE", 40, 0, 40, 0]);
    const { app } = busy.service;
    const rows: Row[] = await app.database.knex("credentials");
    for (const { uuid } of rows) expect(await busy.filesOf(uuid)).toHaveLength(1);
    const { rows: made } = await app.database.knex.raw(
      `select credential_uuid from (
         select credential_uuid, type from unsealed_credential_events
         union all select credential_uuid, type from credential_events
       ) event where type = 'available'`,
    );
    expect(made.length).toBe(40);
    const directory = `${app.config.dataDir}/files/${app.config.outputDir}`;
    expect((await readdir(directory)).sort()).toEqual(rows.map(({ uuid }) => uuid).sort());
  } finally {
    await busy.service.stop();
  }
});
