import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { builtInConnectors } from "#domain/connectors/built-in-connectors.js";
import { createConnector } from "#domain/connectors/connector.js";
import { readConnectors } from "#domain/connectors/driver/connector-settings.js";
import { sweepDue } from "#domain/connectors/run-due.js";
import { readStatus } from "#domain/connectors/status.js";
import { noopMetrics } from "#runtime/ops/noop-metrics.js";
import { givenEachDatabase } from "../support/database.js";
import { newDirectory } from "../support/directory.js";
import { HASTE } from "./bench.js";
import { startFakeMoodle } from "./fake-moodle.js";
import { CLIENT_SECRET } from "./fake-open-edx.js";
import type { FaultyServer } from "./faulty-server.js";
import { createPlatformData } from "./platform-data.js";

const COURSES = 30;

const db = givenEachDatabase();
let directory: string;
let large: FaultyServer;
let small: FaultyServer;
beforeEach(async () => {
  directory = newDirectory("turns");
  large = await startFakeMoodle(createPlatformData({ courses: COURSES, learners: 5 }), new Set());
  small = await startFakeMoodle(createPlatformData({ courses: 1, learners: 2 }), new Set());
});
afterEach(() => Promise.all([large.close(), small.close()]));

async function openConnectors(log: pino.Logger) {
  const [secret, path] = [join(directory, "secret"), join(directory, "connectors.json")];
  await writeFile(secret, CLIENT_SECRET);
  const common = {
    type: "moodle",
    token_file: secret,
    allow_http: true,
    courses: { only_configured: false },
    requests_per_minute: 100_000,
    sweep: "0 2 1 1 *",
  };
  const settings = [
    { ...common, id: "large", base_url: large.url, organisation: "Large" },
    { ...common, id: "small", base_url: small.url, organisation: "Small" },
  ];
  await writeFile(path, JSON.stringify(settings));
  const reading = { database: db.database, log, metrics: noopMetrics.connectors };
  const described = await readConnectors(path, builtInConnectors);
  return described.map((each) => createConnector({ ...reading, retryPolicy: HASTE }, each));
}

test("a platform that takes long gives way to the others, and its sweep continues later", async () => {
  const { signal } = new AbortController();
  const { knex } = db.database;
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: "info" }, { write: (line) => lines.push(JSON.parse(line)) });
  const connectors = await openConnectors(log);
  const turns: AbortController[] = [];
  const beginTurn = () => {
    const turn = new AbortController();
    turns.push(turn);
    return turn.signal;
  };
  const deps = { database: db.database, log, timeZone: "UTC", beginTurn };
  const coursesRequested = () => large.received.filter(({ form }) => form.has("courseid")).length;
  large.fault = () => {
    if (coursesRequested() === COURSES / 2) turns[0]?.abort();
    return undefined;
  };

  await sweepDue(deps, connectors, signal);
  expect(turns).toHaveLength(2);
  expect((await readStatus(knex, "small")).last?.state).toBe("complete");
  const { last, stages } = await readStatus(knex, "large");
  expect(last).toMatchObject({ state: "running", cause: "first" });
  expect(stages.some(({ complete, failed }) => complete > 1 && failed === 0)).toBe(true);
  expect((await readStatus(knex, "large")).pause).toBeUndefined();
  expect(lines.map(({ connector, msg }) => [connector, msg])).toEqual([
    ["large", "reading of the platform paused so that other connectors can run; it will resume"],
    ["small", "sync complete"],
  ]);

  await sweepDue(deps, connectors, signal);
  expect((await readStatus(knex, "large")).last).toMatchObject({ id: last?.id, state: "complete" });
  // In each turn, the active learners of each course that it reads are requested once.
  const received = large.received
    .map(({ form }) => form)
    .filter((form) => form.has("courseid") && form.get("options[0][value]") !== "1");
  const texts = received.map(String);
  const again = received.filter((_, index) => texts.indexOf(texts[index] ?? "") !== index);
  // Only the two pages that were being read when the turn ended are read again.
  expect(new Set(again.map((form) => form.get("courseid"))).size).toBeLessThanOrEqual(2);
  expect((await readStatus(knex, "large")).contexts).toBe(COURSES);
});
