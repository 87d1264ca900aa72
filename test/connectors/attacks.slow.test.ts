import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { describe, expect, test, vi } from "vitest";
import { builtInConnectors } from "#domain/connectors/built-in-connectors.js";
import { createConnector } from "#domain/connectors/connector.js";
import { readConnectors } from "#domain/connectors/driver/connector-settings.js";
import { createPoliteClient } from "#domain/connectors/driver/polite-client.js";
import { queryRows, queryValue } from "#infrastructure/db/query.js";
import { noopMetrics } from "#runtime/ops/noop-metrics.js";
import { hostileAnswers } from "../lti/hostile-answers.js";
import { createChance } from "../soak/chance.js";
import { given } from "../support/given.js";
import { givenService } from "../support/service.js";
import { HASTE } from "./bench.js";
import { startFakeMoodle } from "./fake-moodle.js";
import { CLIENT_SECRET } from "./fake-open-edx.js";
import { bytes, startHostileServer } from "./hostile-server.js";
import { createPlatformData } from "./platform-data.js";

vi.setConfig({ testTimeout: 120_000 });

const { signal } = new AbortController();
const service = givenService();
const at = given(
  async () => {
    const academy = createPlatformData({ courses: 1, learners: 0 });
    const directory = await mkdtemp(join(tmpdir(), "connector-attacks-"));
    const server = await startHostileServer(bytes("[]"));
    return { academy, directory, server, moodle: await startFakeMoodle(academy, new Set()) };
  },
  async ({ directory, moodle, server }) => {
    await Promise.all([moodle.close(), server.close(), rm(directory, { recursive: true })]);
  },
);

async function connectorTo(url: string) {
  const [secret, path] = [join(at.directory, "secret"), join(at.directory, "connectors.json")];
  await writeFile(secret, CLIENT_SECRET);
  const settings = { id: "evil", type: "moodle", base_url: url, token_file: secret, organisation: "Evil" };
  const more = { allow_http: true, courses: { only_configured: false }, requests_per_minute: 100_000 };
  await writeFile(path, JSON.stringify([{ ...settings, ...more }]));
  const [one] = await readConnectors(path, builtInConnectors);
  if (!one) throw new Error("there is one");
  const log = pino({ level: "silent" });
  const deps = {
    database: service.app.database,
    log,
    metrics: noopMetrics.connectors,
  };
  return createConnector({ ...deps, retryPolicy: { ...HASTE, timeout: 1_000 } }, one);
}

describe("whatever another server responds in place of a platform", () => {
  test("a request ends", async () => {
    const all = [];
    for (const [name, answer] of hostileAnswers) {
      at.server.answer = answer;
      const client = createPoliteClient({
        baseUrl: at.server.url,
        requestsPerMinute: 100_000,
        concurrency: 1,
        retryPolicy: { ...HASTE, timeout: 1_000 },
        metrics: { request() {}, throttled() {} },
        signal,
      });
      const received = client.send({
        path: "/",
        endpoint: "It",
        bounds: { bytes: 2 * 1024 * 1024, values: 100_000 },
      });
      all.push([
        name,
        await received.then(
          ({ body }) => `answered ${typeof body}`,
          (error) => error.name,
        ),
      ]);
    }
    // These two responses are JSON. Whether they are valid depends on the request.
    const harmless = ["null", "a number"];
    expect(all).toEqual(
      hostileAnswers.map(([name]) => [
        name,
        harmless.includes(name) ? expect.stringMatching(/^answered/) : "PullError",
      ]),
    );
  });

  test("a sweep ends, and writes nothing", async () => {
    const all = [];
    for (const [name, answer] of hostileAnswers) {
      at.server.answer = answer;
      const connector = await connectorTo(at.server.url);
      const report = await connector.sweep({ cause: "test", dryRun: false }, signal).then(
        (sweep) => `${sweep?.state}`,
        (error) => `refused: ${error.name}`,
      );
      all.push([name, report]);
    }
    expect(all.filter(([, report]) => report === "complete")).toEqual([]);
    const count = "select count(*)::integer as count from learners";
    expect(await queryValue<number>(service.app.database.knex, count)).toBe(0);
  });
});

test("invalid names and addresses, and those of other learners, are left out, and the rest is read", async () => {
  const BAD = [
    ...[
      "a\0b",
      "\0",
      "a\nb",
      "\u001b[2J",
      "\ud800",
      "\ufeffx",
      "x".repeat(256),
      "x".repeat(100_000),
      "",
      " ",
    ],
    ...["lti:1:vic", "lti:", "lti:2:x", "lti::"],
  ];
  const chance = createChance("connectors", 4);
  const mixed = Array.from({ length: 24 }, (_, index) => `m${index}${chance.pick(BAD)}${chance.pick(BAD)}`);
  const send = (id: number, account: { username: string; name: string; email: string }) => {
    at.academy.users.set(id, { id, verifiedName: null, isActive: true, ...account });
    for (const course of at.academy.courses.values())
      course.members.set(id, { isActive: true, scores: new Map(), completion: 1 });
  };
  let id = 0;
  for (const bad of BAD) {
    send(++id, { username: bad, name: "Vic", email: `vic${id}@evil.test` });
    send(++id, { username: `named${id}`, name: bad, email: `named${id}@evil.test` });
    send(++id, { username: `mailed${id}`, name: "Vic", email: bad });
  }
  for (const bad of mixed) send(++id, { username: bad, name: bad, email: `${bad}@evil.test` });
  send(++id, { username: "honest", name: "Hana Honest", email: "hana@uni.test" });
  const connector = await connectorTo(at.moodle.url);
  const report = await connector.sweep({ cause: "test", dryRun: false }, signal);
  expect(report?.state).toBe("complete");
  const names = await queryRows<{ text: string }>(
    service.app.database.knex,
    `select username || full_name || email as text from learners union all select username from enrollments
     union all select username from connector_people`,
  );
  expect(names.length).toBeGreaterThan(0);
  for (const { text } of names) expect(text).not.toMatch(/\p{Cc}|\p{Cs}|^lti:|x{256}/u);
  const honest = names.filter(({ text }) => text === "honestHana Honesthana@uni.test");
  expect(honest).toHaveLength(1);
});
