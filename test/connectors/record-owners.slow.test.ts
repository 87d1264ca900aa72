import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { work } from "#app/work.js";
import { builtInConnectors } from "#domain/connectors/built-in-connectors.js";
import { type Connector, createConnector } from "#domain/connectors/connector.js";
import { readConnectors } from "#domain/connectors/driver/connector-settings.js";
import { handOverLearners, takeOverLearners } from "#domain/connectors/ownership.js";
import { readStatus } from "#domain/connectors/status.js";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import {
  LearnerDifference,
  LearnerRecordService,
  NameCorrectionFilter,
} from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { noopMetrics } from "#runtime/ops/noop-metrics.js";
import { offerCredential } from "../configurations/offer-credential.js";
import { startTestService, type TestService, tokenOf } from "../support/service.js";
import { HASTE } from "./bench.js";
import { startFakeMoodle } from "./fake-moodle.js";
import { CLIENT_SECRET, type FakeOpenEdx, SERVICE_USER, startFakeOpenEdx } from "./fake-open-edx.js";
import type { FaultyServer } from "./faulty-server.js";
import { createPlatformData, type PlatformData } from "./platform-data.js";

const { signal } = new AbortController();
const KEY = "course-v1:Uni+C1+2026";

let service: TestService;
let directory: string;
let lms: FakeOpenEdx;
let moodle: FaultyServer;
/** The data of two platforms. The second one is controlled by an attacker. */
let first: PlatformData;
let evil: PlatformData;
let connectors: { readonly first: Connector; readonly evil: Connector };

beforeEach(async () => {
  first = createPlatformData({ courses: 1, learners: 0 });
  evil = createPlatformData({ courses: 1, learners: 0 });
  send(first, 1, { username: "hana", name: "Hana Honest", email: "hana@uni.test" });
  [service, lms, moodle, directory] = await Promise.all([
    startTestService(),
    startFakeOpenEdx(first),
    startFakeMoodle(evil, new Set()),
    mkdtemp(join(tmpdir(), "owners-")),
  ]);
  connectors = await openConnectors();
});
afterEach(async () => {
  await Promise.all([service.stop(), lms.close(), moodle.close(), rm(directory, { recursive: true })]);
});

async function openConnectors() {
  const [secret, path] = [join(directory, "secret"), join(directory, "connectors.json")];
  await writeFile(secret, CLIENT_SECRET);
  const common = { allow_http: true, courses: { only_configured: false }, requests_per_minute: 100_000 };
  const edx = { client_id: "credentials", client_secret_file: secret, username: SERVICE_USER };
  const school = { token_file: secret, organisation: "Evil" };
  await writeFile(
    path,
    JSON.stringify([
      { id: "first", type: "openedx", base_url: lms.url, ...common, ...edx },
      { id: "evil", type: "moodle", base_url: moodle.url, ...common, ...school },
    ]),
  );
  const { database } = service.app;
  const deps = {
    database,
    log: pino({ level: "silent" }),
    metrics: noopMetrics.connectors,
  };
  const [one, other] = await readConnectors(path, builtInConnectors);
  if (!one || !other) throw new Error("there are two connectors");
  const open = (settings: typeof one) => createConnector({ ...deps, retryPolicy: HASTE }, settings);
  return { first: open(one), evil: open(other) };
}

interface Account {
  readonly username: string;
  readonly name: string;
  readonly email: string;
  readonly isActive?: boolean;
}

/** Adds an account to a platform, or changes it. */
function send(academy: PlatformData, id: number, { isActive = true, ...account }: Account): void {
  academy.users.set(id, { id, verifiedName: null, isActive, ...account });
  for (const course of academy.courses.values())
    course.members.set(id, { isActive: true, scores: new Map(), completion: 1 });
}

async function reportToApi(learner: {
  username: string;
  fullName: string;
  email?: string;
  isActive?: boolean;
  takeOver?: boolean;
}) {
  const records = service.client(LearnerRecordService, await tokenOf({ username: "lms", service: "write" }));
  const { summary } = await records.upsertRecords({
    records: [{ kind: { case: "learner", value: learner } }],
  });
  return summary?.warnings ?? [];
}

async function known(username: string) {
  const { learner, owner, clashes } = await service
    .client(LearnerRecordService, await tokenOf({ username: "registrar", isStaff: true }))
    .getLearner({ username });
  const { fullName, email, isActive } = learner ?? {};
  return {
    fullName,
    email,
    isActive,
    owner,
    clashes: clashes.map(({ connector, differs }) => ({
      connector,
      differs: differs.map((each) => words[LearnerDifference[each] as keyof typeof words]),
    })),
  };
}

const words = { NAME: "name", EMAIL: "address", ACTIVE: "active", RETIRED: "retired" };

const sweep = (connector: Connector, dryRun = false) => connector.sweep({ cause: "test", dryRun }, signal);
const statusOf = (connector: string) => readStatus(service.app.database.knex, connector);

const HANA = {
  fullName: "Hana Honest",
  email: "hana@uni.test",
  isActive: true,
  owner: "connector:first",
  clashes: [],
};
const TAKEN = { username: "hana", name: "Hana Taken", email: "hana@evil.test", isActive: false };

describe("a learner belongs to the first source that reports them", () => {
  test("another platform can't rename, re-address or suspend them; the conflict is listed, also by a dry run", async () => {
    await sweep(connectors.first);
    send(evil, 1, TAKEN);
    const dry = await sweep(connectors.evil, true);
    expect(dry?.tally).toMatchObject({ "learner.owned": 1, "learner.clashing": 1 });
    expect((await statusOf("evil")).clashes).toEqual({ count: 0, first: [] });
    const real = await sweep(connectors.evil);
    expect(real).toMatchObject({ state: "complete", tally: { "learner.owned": 1, "learner.clashing": 1 } });
    expect(real?.tally["learner.written"]).toBeUndefined();
    const differs = ["name", "address", "active"];
    expect(await known("hana")).toEqual({ ...HANA, clashes: [{ connector: "evil", differs }] });
    expect((await statusOf("evil")).clashes).toEqual({
      count: 1,
      first: [{ username: "hana", owner: "connector:first", differs }],
    });
    expect((await statusOf("first")).clashes.count).toBe(0);
  });

  test("nobody takes the name of a person who launches by LTI", async () => {
    for (const [id, username] of ["lti:1:vic", "lti:2:vic", "lti:"].entries())
      send(evil, id + 1, { username, name: "Vic", email: `vic${id}@evil.test` });
    send(evil, 9, { username: "mallory", name: "Mallory", email: "m@evil.test" });
    await sweep(connectors.evil);
    for (const table of ["learners", "enrollments", "connector_people"]) {
      const names = await service.app.database.knex(table).distinct("username").orderBy("username");
      expect([table, names]).toEqual([table, [{ username: "mallory" }]]);
    }
  });

  test("another platform enrols and grades them in its own courses", async () => {
    await sweep(connectors.first);
    send(evil, 1, { username: "hana", name: "Hana Honest", email: "hana@uni.test" });
    expect(await sweep(connectors.evil)).toMatchObject({ state: "complete", tally: { "learner.owned": 1 } });
    const enrolled = await service.app.database
      .knex("enrollments")
      .where({ username: "hana", is_active: true })
      .orderBy("learning_context_key")
      .pluck("learning_context_key");
    expect(enrolled).toEqual(["course-v1:Evil+C1+2", KEY].sort());
    expect(await known("hana")).toEqual(HANA);
  });

  test("the owner can still change them, and a conflict that is over is deleted", async () => {
    await sweep(connectors.first);
    send(evil, 1, TAKEN);
    await sweep(connectors.evil);
    send(first, 1, { username: "hana", name: TAKEN.name, email: TAKEN.email, isActive: false });
    await sweep(connectors.first);
    await sweep(connectors.evil);
    expect(await known("hana")).toEqual({
      fullName: "Hana Taken",
      email: "hana@evil.test",
      isActive: false,
      owner: "connector:first",
      clashes: [],
    });
  });

  test("a platform can't change learners that the API reported, and the API changes a platform's learners only on request", async () => {
    expect(await reportToApi({ username: "ana", fullName: "Ana Kovač", email: "ana@uni.test" })).toEqual([]);
    send(evil, 1, { username: "ana", name: "Mallory", email: "mallory@evil.test" });
    await sweep(connectors.evil);
    expect(await known("ana")).toMatchObject({ fullName: "Ana Kovač", email: "ana@uni.test", owner: "api" });
    expect(await reportToApi({ username: "ana", fullName: "Ana Kovač-Perić" })).toEqual([]);
    expect(await known("ana")).toMatchObject({ fullName: "Ana Kovač-Perić", email: "ana@uni.test" });

    await sweep(connectors.first);
    const [warning] = await reportToApi({ username: "hana", fullName: "Hana of the API" });
    expect(warning).toMatch(/^1 record was skipped because a connector owns it\. Set take_over/);
    expect(await known("hana")).toEqual(HANA);
    expect(await reportToApi({ username: "hana", fullName: "Hana of the API", takeOver: true })).toEqual([]);
    expect(await known("hana")).toMatchObject({ fullName: "Hana of the API", owner: "api" });
    await sweep(connectors.first);
    expect(await known("hana")).toMatchObject({
      fullName: "Hana of the API",
      clashes: [{ connector: "first", differs: ["name"] }],
    });
  });

  test("of sources that report the same learner at the same time, one owns the record", async () => {
    send(evil, 1, TAKEN);
    const api = { username: "hana", fullName: "Hana of the API", email: "hana@api.test" };
    await Promise.all([sweep(connectors.first), sweep(connectors.evil), reportToApi(api)]);
    const { owner, fullName, email, isActive } = await known("hana");
    const reported = {
      "connector:first": ["Hana Honest", "hana@uni.test", true],
      "connector:evil": ["Hana Taken", "hana@evil.test", false],
      api: [api.fullName, api.email, true],
    }[owner];
    expect([fullName, email, isActive]).toEqual(reported);
  });

  test("a platform that retires another source's learner does not erase them", async () => {
    await reportToApi({ username: "ana", fullName: "Ana Kovač" });
    first.retirements.push({ username: "ana", created: new Date().toISOString() });
    const report = await sweep(connectors.first);
    expect(report?.tally).toMatchObject({ "learner.clashing": 1 });
    expect(await known("ana")).toMatchObject({
      fullName: "Ana Kovač",
      clashes: [{ connector: "first", differs: ["retired"] }],
    });
  });

  test("learners created by a registrar's list belong to the first source that reports them", async () => {
    await service.app.database.knex.raw(
      `insert into learners (username, full_name, email, is_active, locale, is_deleted, observed_at, owner)
       values ('hana', 'Hana', '', true, '', false, 'epoch', '')`,
    );
    await sweep(connectors.first);
    expect(await known("hana")).toEqual(HANA);
  });
});

test("a registrar's correction outlasts sweeps, until the platform reports the same value, or a new one to decide on", async () => {
  await sweep(connectors.first);
  const registrar = service.client(
    LearnerRecordService,
    await tokenOf({ username: "registrar", isStaff: true }),
  );
  const correct = (fullName: string, reason = "As in her passport.") =>
    registrar.correctLearnerName({ username: "hana", fullName, reason });
  const correction = async () => (await registrar.getLearner({ username: "hana" })).nameCorrection;
  await correct("Hana Honestová");
  expect((await sweep(connectors.first, true))?.tally["learner.written"]).toBeUndefined();
  expect((await sweep(connectors.first))?.tally["learner.written"]).toBeUndefined();
  expect(await known("hana")).toEqual({ ...HANA, fullName: "Hana Honestová" });
  expect(await correction()).toMatchObject({
    recordedName: "Hana Honest",
    reason: "As in her passport.",
    correctedBy: "registrar",
    isUndecided: false,
  });

  send(first, 1, { username: "hana", name: "Hana Married", email: "hana@married.test" });
  await sweep(connectors.first);
  expect(await known("hana")).toMatchObject({ fullName: "Hana Honestová", email: "hana@married.test" });
  expect(await correction()).toMatchObject({ recordedName: "Hana Married", isUndecided: true });
  const undecided = await registrar.searchLearners({ nameCorrection: NameCorrectionFilter.UNDECIDED });
  expect(undecided.learners.map(({ learner }) => learner?.username)).toEqual(["hana"]);
  await correct("Hana Honestová", "She keeps her name.");
  expect(await correction()).toMatchObject({ recordedName: "Hana Married", isUndecided: false });

  send(first, 1, { username: "hana", name: "Hana Honestová", email: "hana@uni.test" });
  await sweep(connectors.first);
  expect(await known("hana")).toEqual({ ...HANA, fullName: "Hana Honestová" });
  expect(await correction()).toBeUndefined();
  send(first, 1, { username: "hana", name: "Hana Again", email: "hana@uni.test" });
  await sweep(connectors.first);
  expect(await known("hana")).toEqual({ ...HANA, fullName: "Hana Again" });
});

describe("an operator transfers records deliberately", () => {
  test("a connector takes over the learners that it reported, after a dry run that changes nothing", async () => {
    await sweep(connectors.first);
    send(evil, 1, TAKEN);
    await sweep(connectors.evil);
    const { database } = service.app;
    const options = { from: undefined, dryRun: true };
    const counts = [{ owner: "connector:first", count: 1 }];
    expect(await takeOverLearners(database, "evil", { ...options, from: "api" }, signal)).toEqual([]);
    expect(await takeOverLearners(database, "evil", options, signal)).toEqual(counts);
    expect((await known("hana")).owner).toBe("connector:first");
    expect(await takeOverLearners(database, "evil", { ...options, dryRun: false }, signal)).toEqual(counts);
    await sweep(connectors.evil);
    expect(await known("hana")).toMatchObject({
      fullName: "Hana Taken",
      owner: "connector:evil",
      clashes: [],
    });
  });

  test("a removed connector gives up its learners: the next source owns them", async () => {
    await sweep(connectors.first);
    expect(await handOverLearners(service.app.database, "first", { dryRun: true }, signal)).toHaveLength(1);
    expect((await known("hana")).owner).toBe("connector:first");
    await handOverLearners(service.app.database, "first", { dryRun: false }, signal);
    await reportToApi({ username: "hana", fullName: "Hana of the API" });
    expect(await known("hana")).toMatchObject({ fullName: "Hana of the API", owner: "api" });
  });
});

test("a platform that suspends a member of staff locks out neither them nor a service; a learner is locked out", async () => {
  const suspended = { email: "x@evil.test", isActive: false };
  send(evil, 1, { username: "registrar", name: "Registrar", ...suspended });
  send(evil, 2, { username: "lms", name: "Service", ...suspended });
  send(evil, 3, { username: "bea", name: "Bea", ...suspended });
  await sweep(connectors.evil);
  expect(await known("registrar")).toMatchObject({ isActive: false, owner: "connector:evil" });
  expect(await reportToApi({ username: "ana", fullName: "Ana" })).toEqual([]);
  const statusFor = async (caller: Parameters<typeof tokenOf>[0]) => {
    const authorization = `Bearer ${await tokenOf(caller)}`;
    const path = `/api/learning_credentials/v1/eligibility/${KEY}/`;
    return (await fetch(service.httpUrl + path, { headers: { authorization } })).status;
  };
  expect(await statusFor({ username: "registrar", isStaff: true })).toBe(200);
  expect(await statusFor({ username: "bea" })).toBe(403);
  // The operator's own report is applied.
  await reportToApi({ username: "registrar", fullName: "Registrar", isActive: false, takeOver: true });
  await expect
    .poll(() => statusFor({ username: "registrar", isStaff: true }), { timeout: 30_000, interval: 500 })
    .toBe(403);
});

test("an email that is resent goes to the address reported by the owner, whatever another platform reports", async () => {
  await sweep(connectors.first);
  const staff = await tokenOf({ username: "registrar", isStaff: true });
  const configurations = service.client(ConfigurationService, staff);
  const { id: configurationId } = await offerCredential(
    configurations,
    KEY,
    "Certificate",
    "retrieve_completions",
  );
  const worker = work(service.app);
  onTestFinished(() => worker.stop(5_000));
  const credentials = service.client(CredentialService, staff);
  const { uuid } = await credentials.issueCredential({
    configurationId,
    username: "hana",
    skipEligibilityCheck: true,
  });
  const emails = join(service.app.config.dataDir, "mails");
  const recipients = async () => {
    const names = (await readdir(emails).catch(() => [])).filter((name) => name.endsWith(".eml"));
    const texts = await Promise.all(names.map((name) => readFile(join(emails, name), "utf8")));
    return texts.map((text) => /^To: (.*)$/im.exec(text)?.[1]?.trim());
  };
  await expect.poll(recipients).toEqual([expect.stringContaining(HANA.email)]);

  send(evil, 1, { ...TAKEN, isActive: true });
  await sweep(connectors.evil);
  expect((await known("hana")).clashes).toEqual([{ connector: "evil", differs: ["name", "address"] }]);
  await credentials.resendEmail({ uuid });
  const address = expect.stringContaining(HANA.email);
  await expect.poll(recipients).toEqual([address, address]);
});
