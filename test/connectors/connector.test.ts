import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pino } from "pino";
import { beforeEach, expect, test } from "vitest";
import { builtInConnectors } from "#domain/connectors/built-in-connectors.js";
import { createConnector } from "#domain/connectors/connector.js";
import { findDrift } from "#domain/connectors/drift.js";
import { readConnectors } from "#domain/connectors/driver/connector-settings.js";
import { EMAIL_CAPABILITY, REQUIRED_FUNCTIONS } from "#domain/connectors/moodle/moodle-api.js";
import { addHints, measureHints } from "#domain/learners/connector-hints.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { createMetrics } from "#runtime/ops/metrics.js";
import { noopMetrics } from "#runtime/ops/noop-metrics.js";
import { loadAcademy } from "../eligibility/academy.js";
import { readBlocks } from "../main/document-blocks.js";
import { readDocument, readPage } from "../main/documents.js";
import { givenEachDatabase } from "../support/database.js";
import { newDirectory } from "../support/directory.js";
import { startTestService, tokenOf } from "../support/service.js";
import { HASTE, PERSONAL } from "./bench.js";
import { createSite } from "./canvas-site.js";
import { startFakeCanvas } from "./fake-canvas.js";
import { startFakeMoodle } from "./fake-moodle.js";
import { CLIENT_SECRET, startFakeOpenEdx } from "./fake-open-edx.js";
import { createPlatformData } from "./platform-data.js";

const { signal } = new AbortController();
const PAGE = ".docs/connectors.md";
const KEY = "course-v1:Uni+C1+2026";
const academy = createPlatformData({ courses: 2, learners: 8 });
const db = givenEachDatabase();
let directory: string;
beforeEach(async () => {
  directory = newDirectory("connector");
});

/** Opens the connectors of an example in the documentation, with the address of a fake. */
async function fromPage(type: string, url: string, { metrics = noopMetrics.connectors } = {}) {
  const { text } = await readDocument(PAGE);
  const example = readBlocks(text).find((block) => block.text.includes(`"type": "${type}"`));
  const secret = join(directory, "secret");
  const path = join(directory, "connectors.json");
  await writeFile(secret, CLIENT_SECRET);
  const led = (example?.text ?? "")
    .replace(/"https:[^"]*"/, `"${url}", "allow_http": true`)
    .replace(/"\/run\/secrets\/\w+"/, JSON.stringify(secret));
  expect(led.trim().split("\n").length).toBeLessThanOrEqual(10);
  await writeFile(path, led);
  const log = pino({ level: "silent" });
  const deps = { database: db.database, log, metrics };
  const described = await readConnectors(path, builtInConnectors);
  return described.map((settings) => {
    const courses = { ...settings.courses, only_configured: false };
    const quick = { ...settings, courses, requests_per_minute: 100_000 };
    return createConnector({ ...deps, retryPolicy: HASTE }, quick);
  });
}

test.each([
  ["openedx", () => startFakeOpenEdx(academy)],
  ["moodle", () => startFakeMoodle(academy, new Set())],
  ["canvas", () => startFakeCanvas(createSite({ courses: 2, learners: 8 }))],
] as const)("the ten lines for %s connect", async (type, start) => {
  const fake = await start();
  const [connector] = await fromPage(type, fake.url);
  const results: string[] = [];
  for await (const { what, outcome } of connector?.open(signal).source.check() ?? [])
    results.push(`${what} ${outcome}`);
  expect(results.length).toBeGreaterThan(2);
  expect(results.filter((result) => !result.endsWith(" ok"))).toEqual([]);
  expect(await connector?.sweep({ cause: "test" }, signal)).toMatchObject({
    state: "complete",
    failures: [],
  });
  const grades = await db.database.knex("course_grades").whereNot({ username: "" });
  expect(grades.length).toBeGreaterThan(5);
  await fake.close();
});

test("the page on connectors lists each function of Moodle, and the capabilities that it needs", async () => {
  const { text } = await readDocument(PAGE);
  const listed = new Map<string, string[]>();
  for (const [, cell = "", needs = ""] of text.matchAll(/^\| (`core_.*?|`gradereport_.*?) \| (.*) \|$/gm)) {
    const capabilities = [...needs.matchAll(/`([a-z]+\/[a-z]+:[a-z]+)`/g)].map(([, name = ""]) => name);
    for (const [, name = ""] of cell.matchAll(/`(\w+)`/g))
      if (capabilities.length > 0) listed.set(name, capabilities);
  }
  const needed = REQUIRED_FUNCTIONS.map(({ name, needs }) => [name, [...needs].sort()]);
  const shown = [...listed].map(([name, needs]) => [
    name,
    needs.filter((one) => one !== EMAIL_CAPABILITY).sort(),
  ]);
  expect(shown.sort()).toEqual(needed.sort());
  expect(listed.get("core_enrol_get_enrolled_users")).toContain(EMAIL_CAPABILITY);
});

test("one of two processes sweeps; when it is stopped, the other takes over", async () => {
  const fake = await startFakeOpenEdx(academy);
  const [one] = await fromPage("openedx", fake.url);
  const [other] = await fromPage("openedx", fake.url);
  fake.fault = ({ url }) => (url.pathname.includes("/courses/") ? "hang" : undefined);
  const stop = new AbortController();
  const first = one?.sweep({ cause: "test" }, stop.signal).catch(() => "stopped");
  await expect.poll(() => fake.received.some(({ url }) => url.pathname.includes("/courses/"))).toBe(true);
  expect(await other?.sweep({ cause: "test" }, signal)).toBeUndefined();
  stop.abort();
  expect(await first).toBe("stopped");
  fake.fault = () => undefined;
  expect(await other?.sweep({ cause: "test" }, signal)).toMatchObject({ state: "complete" });
  await fake.close();
});

test("metrics report requests, records, sweeps, held withdrawals and hints, and name nobody", async () => {
  const own = createPlatformData({ courses: 1, learners: 40 });
  const fake = await startFakeOpenEdx(own);
  const metrics = createMetrics(db.database);
  metrics.connectors.watchHints(() => measureHints(db.database.knex));
  const [connector] = await fromPage("openedx", fake.url, { metrics: metrics.connectors });
  await connector?.sweep({ cause: "test" }, signal);
  for (const { members } of own.courses.values()) for (let id = 1; id <= 20; id++) members.delete(id);
  fake.fault = (_, count) =>
    count % 5 === 0 ? { status: 429, body: {}, headers: { "retry-after": "0" } } : undefined;
  expect(await connector?.sweep({ cause: "test" }, signal)).toMatchObject({ state: "held" });
  await addHints(db.database.knex, "lms", [{ username: "learner30", externalId: "", courseKey: KEY }]);
  const text = await metrics.text();
  for (const line of [
    /connector_request_seconds_count\{connector="lms",endpoint="enrollments",code="200"\} \d/,
    /connector_request_seconds_count\{connector="lms",endpoint="\w+",code="429"\} \d/,
    /connector_throttled_seconds_total\{connector="lms"\} 0/,
    /connector_records_total\{connector="lms",kind="enrollment",outcome="written"\} 40/,
    /connector_sweeps_total\{connector="lms",state="complete"\} 1/,
    /connector_sweeps_total\{connector="lms",state="held"\} 1/,
    /connector_withdrawals_held\{connector="lms"\} \d\d/,
    /connector_last_complete_sweep_timestamp_seconds\{connector="lms"\} \d/,
    /connector_hints\{connector="lms"\} 2/,
    /connector_hints_overdue_seconds\{connector="lms"\} 0/,
  ])
    expect(text).toMatch(line);
  expect(text).not.toMatch(PERSONAL);
  await fake.close();
});

test("the file may have comments, trailing commas and a byte order mark", async () => {
  const path = join(directory, "written-by-hand.json");
  const [, example = ""] = /```json5\n(\[\{[^`]*)```/.exec(await readPage("connectors")) ?? [];
  const written = example.replace("[{", "\ufeff// Our LMS\n[{ /* the only one */").replace("}]", ",}, ]");
  expect(written).toContain('"openedx"');
  await writeFile(path, written);
  expect(await readConnectors(path, builtInConnectors)).toMatchObject([{ id: "lms" }]);
});

test("all wrong settings are named", async () => {
  const path = join(directory, "connectors.json");
  const wrong = { id: "LMS", type: "openedx", base_url: "http://lms.test", client_id: "x", colour: 1 };
  await writeFile(path, JSON.stringify([wrong, { ...wrong, type: "sakai" }]));
  const message = await readConnectors(path, builtInConnectors).catch((error: Error) => error.message);
  for (const part of [
    "id: must have",
    "client_secret_file",
    "colour",
    "type: must be one of openedx, moodle, canvas",
  ])
    expect(message).toContain(part);
});

/** Starts a service that offers a credential in a course in which Ana and Ben are enrolled. */
async function startWithLearners() {
  const service = await startTestService();
  const inCourse = { [KEY]: { enrollment: "active" as const, grades: [] } };
  const [configurationId = 0] = await loadAcademy(service.app.database, {
    courses: [{ key: KEY, isWithdrawn: false, policy: [] }],
    learners: ["ana", "ben"].map((username) => ({ username, record: "kept", inPath: "none", in: inCourse })),
    credentials: [{ retrieval: "retrieve_completions", options: { required_completion: 0 } }],
  });
  return { service, configurationId };
}

test("nothing is issued before a course was read completely, or from outdated facts; drift is reported", async () => {
  const { service, configurationId } = await startWithLearners();
  const { database, functions } = service.app;
  const credentials = service.client(CredentialService, await tokenOf({ username: "lms", service: "write" }));
  const issue = (username: string) => credentials.issueCredential({ configurationId, username });
  const context = (change: string) => database.knex.raw(`update connector_contexts set ${change}`);
  await database.knex.raw(
    "insert into connector_contexts (connector, context_key, external_id, display_name, seen_sweep) values ('lms', ?, '', '', 1)",
    [KEY],
  );
  await expect(issue("ana")).rejects.toThrow(/The connector lms has never read .* completely/);
  await context("complete_at = now() - interval '2 days'");
  await database.knex.raw(
    "update credential_configurations set custom_options = jsonb_set(custom_options, '{required_completion}', '0.5')",
  );
  // If a learner may have just finished, the platform is read again.
  for (let attempt = 0; attempt < 2; attempt++) await expect(issue("ana")).rejects.toThrow(/not eligible/);
  expect(await database.knex("connector_hints").where("due_at", "<=", new Date())).toMatchObject([
    { connector: "lms", username: "ana", course_key: KEY, is_second: false },
  ]);
  await database.knex.raw(
    "update credential_configurations set custom_options = jsonb_set(custom_options, '{required_completion}', '0')",
  );
  expect((await issue("ana")).username).toBe("ana");
  await context("fresh_for = interval '1 day'");
  await expect(issue("ben")).rejects.toThrow(/Nothing is issued from partial or old data/);
  await expect(credentials.startIssuanceRun({ configurationId, dryRun: true })).rejects.toThrow(/old data/);

  await database.knex.raw(
    `update credentials set status = 'available', file_key = 'f', file_sha256 = sha256(''), file_size = 1`,
  );
  await database.knex.raw("update learners set full_name = 'Changed' where username = 'ana'");
  await database.knex.raw("update enrollments set is_active = false where username = 'ana'");
  const drift = [];
  for await (const one of findDrift(database, functions, "lms", signal)) drift.push(one.reasons);
  expect(drift).toEqual([["no_longer_eligible", "name_differs"]]);
  await service.stop();
});

test("drift compares the name that credentials print, corrected or not", async () => {
  const { service, configurationId } = await startWithLearners();
  const { database, functions } = service.app;
  await database.knex.raw(
    `insert into connector_contexts (connector, context_key, external_id, display_name, seen_sweep, complete_at)
     values ('lms', ?, '', '', 1, now())`,
    [KEY],
  );
  const registrar = await tokenOf({ username: "registrar", isStaff: true });
  const credentials = service.client(CredentialService, registrar);
  const correct = (username: string) =>
    service.client(LearnerRecordService, registrar).correctLearnerName({
      username,
      fullName: "José",
      reason: "Misspelt.",
    });
  await correct("ana");
  await credentials.issueCredential({ configurationId, username: "ana" });
  const { uuid } = await credentials.issueCredential({ configurationId, username: "ben" });
  await correct("ben");
  await database.knex.raw(
    `update credentials set status = 'available', file_key = 'f', file_sha256 = sha256(''), file_size = 1`,
  );
  const drift = [];
  for await (const one of findDrift(database, functions, "lms", signal)) drift.push(one);
  expect(drift).toEqual([{ uuid, configurationId, reasons: ["name_differs"] }]);
  await service.stop();
});

test.each(builtInConnectors.map(({ name }) => name))("%s has an example in the docs", async (name) => {
  expect(await readPage("connectors")).toContain(`"type": "${name}"`);
});
