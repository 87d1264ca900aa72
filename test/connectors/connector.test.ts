import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { CredentialService } from "../../gen/learning_credentials/v1/credential_service_pb.js";
import { parsePlainRecord } from "../../src/api/parse-plain-record.js";
import { builtInConnectors } from "../../src/connectors/built-in-connectors.js";
import { createConnector } from "../../src/connectors/connector.js";
import { findDrift } from "../../src/connectors/drift.js";
import { readConnectors } from "../../src/connectors/driver/connector-settings.js";
import { noopMetrics } from "../../src/ops/noop-metrics.js";
import { loadAcademy } from "../eligibility/academy.js";
import { readBlocks } from "../main/document-blocks.js";
import { readPage } from "../main/documents.js";
import { createTestDatabase, type TestDatabase } from "../support/database.js";
import { startTestService, tokenOf } from "../support/service.js";
import { createAcademy } from "./academy.js";
import { HASTE } from "./bench.js";
import { startFakeMoodle } from "./fake-moodle.js";
import { CLIENT_SECRET, startFakeOpenEdx } from "./fake-open-edx.js";

const { signal } = new AbortController();
const KEY = "course-v1:Uni+C1+2026";
const academy = createAcademy({ courses: 2, learners: 8 });
let db: TestDatabase;
let directory: string;
beforeEach(async () => {
  db = await createTestDatabase();
  directory = await mkdtemp(join(tmpdir(), "connector-"));
});
afterEach(async () => {
  await db.drop();
  await rm(directory, { recursive: true });
});

/** Opens the connectors of an example in the documentation, led to a fake. */
async function fromPage(type: string, url: string) {
  const example = readBlocks(await readPage("connectors")).find(({ text }) =>
    text.includes(`"type": "${type}"`),
  );
  const secret = join(directory, "secret");
  const path = join(directory, "connectors.json");
  await writeFile(secret, CLIENT_SECRET);
  const led = (example?.text ?? "")
    .replace(/"https:[^"]*"/, `"${url}", "allow_http": true`)
    .replace(/"\/run\/secrets\/\w+"/, JSON.stringify(secret));
  expect(led.trim().split("\n").length).toBeLessThanOrEqual(10);
  await writeFile(path, led);
  const log = pino({ level: "silent" });
  const deps = { database: db.database, log, parse: parsePlainRecord, metrics: noopMetrics.connectors };
  const described = await readConnectors(path, builtInConnectors);
  return described.map((settings) => {
    const quick = { ...settings, requests_per_minute: 100_000 };
    return createConnector({ ...deps, patience: HASTE }, quick);
  });
}

test.each([
  ["openedx", () => startFakeOpenEdx(academy)],
  ["moodle", () => startFakeMoodle(academy, new Set())],
] as const)("the ten lines for %s in the documentation connect", async (type, start) => {
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
  await fake.close();
});

test("A14: of two processes one sweeps; when it is stopped, the other takes over", async () => {
  const fake = await startFakeOpenEdx(academy);
  const [one] = await fromPage("openedx", fake.url);
  const [other] = await fromPage("openedx", fake.url);
  fake.fault = ({ url }) => (url.pathname.includes("/courses/") ? "hang" : undefined);
  const stop = new AbortController();
  const first = one?.sweep({ cause: "test" }, stop.signal).catch(() => "stopped");
  await expect.poll(() => fake.asked.some(({ url }) => url.pathname.includes("/courses/"))).toBe(true);
  expect(await other?.sweep({ cause: "test" }, signal)).toBeUndefined();
  stop.abort();
  expect(await first).toBe("stopped");
  fake.fault = () => undefined;
  expect(await other?.sweep({ cause: "test" }, signal)).toMatchObject({ state: "complete" });
  await fake.close();
});

test("settings that are wrong are all named", async () => {
  const path = join(directory, "connectors.json");
  const wrong = { id: "LMS", type: "openedx", base_url: "http://lms.test", client_id: "x", colour: 1 };
  await writeFile(path, JSON.stringify([wrong, { ...wrong, type: "canvas" }]));
  const message = await readConnectors(path, builtInConnectors).catch((error: Error) => error.message);
  for (const part of [
    "id: must have",
    "client_secret_file",
    "colour",
    "type: must be one of openedx, moodle",
  ])
    expect(message).toContain(part);
});

test("A18: nothing is issued before a course was read completely, or from facts that are too old; drift is reported", async () => {
  const service = await startTestService();
  const { database, functions } = service.app;
  const inCourse = { [KEY]: { enrollment: "active" as const, grades: [] } };
  const [configurationId = 0] = await loadAcademy(database, {
    courses: [{ key: KEY, isWithdrawn: false, policy: [] }],
    learners: ["ana", "ben"].map((username) => ({ username, record: "kept", inPath: "none", in: inCourse })),
    credentials: [{ retrieval: "retrieve_completions", options: { required_completion: 0 } }],
  });
  const credentials = service.client(CredentialService, await tokenOf({ username: "lms", service: "write" }));
  const issue = (username: string) => credentials.issueCredential({ configurationId, username });
  const context = (change: string) => database.knex.raw(`update connector_contexts set ${change}`);
  await database.knex.raw(
    "insert into connector_contexts (connector, context_key, external_id, display_name, seen_sweep) values ('lms', ?, '', '', 1)",
    [KEY],
  );
  await expect(issue("ana")).rejects.toThrow(/was read completely by the connector lms never/);
  await context("complete_at = now() - interval '2 days'");
  expect((await issue("ana")).username).toBe("ana");
  await context("fresh_for = interval '1 day'");
  await expect(issue("ben")).rejects.toThrow(/nothing is issued from partial or old facts/);
  await expect(credentials.startIssuanceRun({ configurationId, dryRun: true })).rejects.toThrow(/old facts/);

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
