import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { offerCredential } from "../configurations/offer-credential.js";
import { createSite } from "../connectors/canvas-site.js";
import { startFakeCanvas } from "../connectors/fake-canvas.js";
import { startFakeMoodle } from "../connectors/fake-moodle.js";
import {
  CLIENT_SECRET,
  type FakeOpenEdx,
  SERVICE_USER,
  startFakeOpenEdx,
} from "../connectors/fake-open-edx.js";
import { type FaultyServer, startFaultyServer } from "../connectors/faulty-server.js";
import { createPlatformData, type PlatformData } from "../connectors/platform-data.js";
import { freePort } from "../support/free-port.js";
import { startTestService, type TestService, tokenOf } from "../support/service.js";
import { type Ended, ended, startOn } from "./run-command.js";

/** Each test starts several processes. */
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const COURSE = "course-v1:Uni+C1+2026";

let academy: PlatformData;
let lms: FakeOpenEdx;
let moodle: FaultyServer;
let canvas: FaultyServer;
let service: TestService;
let said = "";

beforeAll(async () => {
  academy = createPlatformData({ courses: 2, learners: 12, paths: 1 });
  for (const { members } of academy.courses.values())
    for (const id of academy.users.keys())
      members.set(id, { isActive: true, scores: new Map(), completion: 1 });
  [lms, moodle, canvas, service] = await Promise.all([
    startFakeOpenEdx(academy),
    startFakeMoodle(academy, new Set()),
    startFakeCanvas(createSite({ courses: 1, learners: 3 })),
    startTestService({ worker: true }),
  ]);
});
afterAll(async () => {
  await Promise.all([lms.close(), moodle.close(), canvas.close(), service.stop()]);
  expect(said).not.toMatch(/learner\d|secretmail|Qvortrup|token-\d/);
  expect(said).not.toContain(CLIENT_SECRET);
});

const edx = () => ({
  type: "openedx",
  base_url: lms.url,
  client_id: "credentials",
  client_secret_file: "secret",
  username: SERVICE_USER,
  paths: true,
  completion: "aggregator",
});
const school = () => ({ type: "moodle", base_url: moodle.url, token_file: "secret", organisation: "Uni" });

/** Runs `connector` with a single connector, whose secret is in a file. */
async function connector(
  args: readonly string[],
  { secret = CLIENT_SECRET, ...settings }: Record<string, unknown> & { readonly secret?: string } = edx(),
): Promise<Ended> {
  const { dataDir } = service.app.config;
  const path = join(dataDir, "connectors.json");
  await writeFile(join(dataDir, "secret"), secret);
  const common = {
    id: "lms",
    allow_http: true,
    courses: { only_configured: false },
    requests_per_minute: 100_000,
  };
  await writeFile(path, JSON.stringify([{ ...common, ...settings }]));
  const place = { DATABASE_URL: service.app.database.url, DATA_DIR: dataDir, CONNECTORS_FILE: path };
  const result = await ended(startOn({ ...place, LOG_LEVEL: "trace" }, ["connector", ...args]));
  said += result.out + result.err;
  return result;
}

describe("a problem is reported with its remedy", () => {
  test.each<[string, () => Promise<Record<string, unknown>>, RegExp]>([
    [
      "a wrong secret of Open edX",
      async () => ({ ...edx(), secret: "wrong" }),
      /failed +courses: token: the LMS returned 401\. Check client_id, client_secret_file/,
    ],
    [
      "a wrong token of Moodle",
      async () => ({ ...school(), secret: "wrong" }),
      /failed +courses: core_course_get_courses: Moodle returned invalidtoken\. Check token_file\./,
    ],
    [
      "a wrong token of Canvas",
      async () => ({ ...school(), type: "canvas", base_url: canvas.url, secret: "wrong" }),
      /failed +courses: courses: Canvas rejects the token \(401\)\. Check token_file\./,
    ],
    [
      "a wrong URL of Open edX",
      async () => ({ ...edx(), base_url: `${lms.url}/nowhere` }),
      /failed +courses: token: the LMS returned 404\. Check base_url/,
    ],
    [
      "a wrong URL of Moodle",
      async () => ({ ...school(), base_url: `${moodle.url}/nowhere` }),
      /failed +courses: core_course_get_courses: there is no Moodle \(404\)\. Check base_url/,
    ],
    [
      "a host that does not listen",
      async () => ({ ...edx(), base_url: `http://127.0.0.1:${await freePort()}` }),
      /failed +courses: token can't be read from the platform: it refused the connection: check base_url/,
    ],
    [
      "a host that is not known",
      async () => ({ ...school(), base_url: "http://moodle.invalid" }),
      /failed +courses: .*the host name (is unknown: check base_url|can't be looked up now)/,
    ],
  ])("%s", async (_, settings, expected) => {
    const { code, out, err } = await connector(["check"], await settings());
    expect(out).toMatch(expected);
    expect([code, err]).toEqual([1, ""]);
  });

  test("another program at that address", async () => {
    const other = await startFaultyServer(() => ({ status: 200, body: "<html>" }));
    const { code, out } = await connector(["check"], { ...edx(), base_url: other.url });
    expect(out).toMatch(/did not return JSON.*check base_url/);
    expect(code).toBe(1);
    expect(other.received).toHaveLength(2);
    await other.close();
  });

  test("a missing secret, and no connectors at all", async () => {
    const missing = await connector(["check"], { ...edx(), client_secret_file: "nowhere" });
    expect(missing).toMatchObject({
      code: 1,
      err: expect.stringContaining("The secret file nowhere can't be read"),
    });
    const { dataDir } = service.app.config;
    const place = { DATABASE_URL: service.app.database.url, DATA_DIR: dataDir };
    const none = await ended(startOn(place, ["connector", "check"]));
    expect(none).toMatchObject({
      code: 1,
      err: expect.stringContaining("set CONNECTORS_FILE to the path of that file"),
    });
  });

  test("a sweep that may not start gives the reason, and withdraws nothing", async () => {
    const { code, out } = await connector(["sync"], { ...edx(), secret: "wrong" });
    expect(out).toMatch(/^failed: token: the LMS returned 401/m);
    expect(code).toBe(1);
    expect((await connector(["status"])).out).toMatch(/last sync: failed, began .* Check client_id/);
  });
});

test("a platform is checked, read in a dry run, read twice, and its status is shown", async () => {
  const checked = await connector(["check"]);
  expect(checked).toMatchObject({ code: 0, err: "" });
  expect(checked.out.trim().split("\n").length).toBeGreaterThan(7);
  expect(checked.out).not.toMatch(/^(failed|warning)/m);
  expect(
    (await connector(["check", "--json"], school())).out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toEqual([
    expect.objectContaining({ what: "service", outcome: "ok" }),
    expect.objectContaining({ what: "capabilities", outcome: "ok" }),
    { what: "courses", outcome: "ok", text: "2 courses" },
    expect.objectContaining({ what: "enrolments", outcome: "ok" }),
    expect.objectContaining({ what: "grades", outcome: "ok" }),
  ]);

  const dry = await connector(["sync", "--dry-run"]);
  expect(dry.code).toBe(0);
  expect(dry.out).toMatch(/^learner: 12 would change/m);
  expect(dry.out).toMatch(/^requests to the platform: \d+ requests$/m);
  expect(dry.out).toMatch(/^dry run: complete$/m);
  expect((await connector(["status"])).out).toContain("last complete sync: none");
  const first = await connector(["sync"]);
  // The numbers of requests are ignored. They vary, because two courses are read at the same time, and either may have
  // requested accounts that the other one needs, too.
  const changes = ({ out }: Ended) =>
    out
      .replaceAll(/, \d+ unchanged/g, "")
      .replaceAll("would change", "written")
      .replace(/\d+ requests/, "");
  expect(changes(first).replace(/^complete/m, "dry run: complete")).toBe(changes(dry));
  const second = JSON.parse((await connector(["sync", "--json"])).out);
  expect(second).toMatchObject({ state: "complete", failures: [], held: 0 });
  expect(Object.keys(second.tally).filter((what) => what.endsWith(".written"))).toEqual([]);
  const status = await connector(["status"]);
  expect(status.code).toBe(0);
  expect(status.out).toContain("last sync: complete");
  expect(status.out).toContain("courses and paths: 3\n");
  expect(JSON.parse((await connector(["status", "--json"])).out)).toMatchObject({
    connector: "lms",
    contexts: 3,
  });
});

test("conflicts, and transfers of records, are described in words", async () => {
  const records = service.client(LearnerRecordService, await tokenOf({ username: "sis", service: "write" }));
  const hana = { username: "hana", fullName: "Hana of the API", email: "hana@uni.test" };
  await records.upsertRecords({ records: [{ kind: { case: "learner", value: hana } }] });
  const account = { username: "hana", name: "Hana of Moodle", email: "hana@moodle.test" };
  academy.users.set(900, { id: 900, verifiedName: null, isActive: true, ...account });
  for (const { members } of academy.courses.values())
    members.set(900, { isActive: true, scores: new Map(), completion: 1 });
  const moodle = { ...school(), id: "school" };
  /** Returns the output of `status`, which lists the accounts that an operator must check. */
  const status = async () => {
    const before = said;
    const { out } = await connector(["status"], moodle);
    said = before;
    return out;
  };

  expect((await connector(["sync"], moodle)).out).toMatch(/^learner: .* owned, \d+ clashing$/m);
  const out = await status();
  expect(out).toMatch(
    /^reported differently than by the owner of the record, and ignored: \d+ learners?\. `connector take-over school --dry-run` shows the owners\.$/m,
  );
  expect(out).toMatch(/^conflict: "hana" of api: name, address$/m);

  const ofApi = ["take-over", "school", "--from", "api"];
  const none = await connector(["take-over", "school", "--from", "nobody-there"], moodle);
  expect(none).toMatchObject({ code: 0, out: "There are no records to transfer: see `connector status`.\n" });
  const dry = await connector([...ofApi, "--dry-run"], moodle);
  expect(dry).toMatchObject({ code: 0, out: "1 record of api would be transferred\n", err: "" });
  expect(await status()).toContain('conflict: "hana" of api');
  const taken = await connector(ofApi, moodle);
  expect(taken).toMatchObject({ code: 0, out: "1 record of api was transferred\n", err: "" });
  expect(await status()).not.toContain('conflict: "hana"');

  const { knex } = service.app.database;
  const words = "no owner: the next source to report these learners owns them\n";
  const received = await connector(["hand-over", "school", "--dry-run"], moodle);
  expect(received).toMatchObject({
    code: 0,
    out: expect.stringMatching(`^\\d+ records? would have ${words}$`),
    err: "",
  });
  const given = await connector(["hand-over", "school"], moodle);
  const done = received.out.startsWith("1 ") ? "has" : "have";
  expect(given).toMatchObject({ code: 0, out: received.out.replace("would have", done), err: "" });
  const again = await connector(["hand-over", "school"], moodle);
  expect(again.out).toBe(`0 records have ${words}`);
  const recorded = await knex("audit_entries").orderBy("id").pluck("method");
  expect(recorded.filter((method) => method.includes("-over"))).toEqual([
    "connector take-over",
    "connector take-over --dry-run",
    "connector take-over",
    "connector hand-over --dry-run",
    "connector hand-over",
    "connector hand-over",
  ]);
  await knex("learners").where({ username: "hana" }).del();
  academy.users.delete(900);
  for (const { members } of academy.courses.values()) members.delete(900);
});

test("drift lists a credential that differs from the platform, and changes nothing", async () => {
  await connector(["sync"]);
  const staff = await tokenOf({ username: "registrar", isStaff: true });
  const configurations = service.client(ConfigurationService, staff);
  const credentials = service.client(CredentialService, staff);
  const { id: configurationId } = await offerCredential(
    configurations,
    COURSE,
    "Certificate",
    "retrieve_completions",
    { required_completion: 0.5 },
  );
  const { uuid } = await credentials.issueCredential({ configurationId, username: "learner2" });
  const get = () => credentials.getCredential({ uuid });
  await expect.poll(async () => (await get()).status, { timeout: 60_000 }).toBe(CredentialStatus.AVAILABLE);
  expect(await connector(["drift"])).toMatchObject({
    code: 0,
    out: "0 credentials differ. Nothing was changed.\n",
  });
  const member = academy.courses.get(COURSE)?.members.get(2);
  if (member) member.completion = 0.1;
  expect((await connector(["sync"])).code).toBe(0);
  const { code, out } = await connector(["drift", "--json"]);
  expect([
    code,
    out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ]).toEqual([0, [expect.objectContaining({ uuid, configurationId, reasons: ["no_longer_eligible"] })]]);
  expect((await get()).status).toBe(CredentialStatus.AVAILABLE);
});
