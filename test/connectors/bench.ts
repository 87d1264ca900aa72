import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Logger, pino } from "pino";
import { expect } from "vitest";
import { builtInConnectors } from "#domain/connectors/built-in-connectors.js";
import { readConnectors } from "#domain/connectors/driver/connector-settings.js";
import { createPoliteClient, type RetryPolicy } from "#domain/connectors/driver/polite-client.js";
import { runSweep, type SweepReport } from "#domain/connectors/sweep/run-sweep.js";
import type { SweepOptions } from "#domain/connectors/sweep/sweep.js";
import type { Database } from "#infrastructure/db/database.js";
import { createTestDatabase } from "../support/database.js";
import { CLIENT_SECRET, SERVICE_USER } from "./fake-open-edx.js";

/** Short waits, because tests check the order of waits, not their length. */
export const HASTE: RetryPolicy = {
  first: 1,
  longest: 5,
  gateway: 5,
  attempts: 3,
  timeout: 2_000,
  pause: 50,
  recovery: 50,
};

/** A database and a connector to a fake. */
export interface Bench {
  readonly database: Database;
  readonly url: string;
  /** Settings of a command that reads the same platform into the same database. */
  readonly place: {
    readonly DATABASE_URL: string;
    readonly DATA_DIR: string;
    readonly CONNECTORS_FILE: string;
  };
  readonly log: Logger;
  /** Everything that was logged. */
  readonly logged: () => string;
  /** `endpoint code` of each request. */
  readonly requests: string[];
  sweep(options?: Partial<SweepOptions>, signal?: AbortSignal): Promise<SweepReport>;
  /** Opens the connector's parts again, as after a restart. */
  open(signal?: AbortSignal): Promise<ReturnType<typeof partsOf>>;
  /** Opens the connector's parts with additional settings. */
  openWith(settings: Record<string, unknown>): Promise<ReturnType<typeof partsOf>>;
  close(): Promise<void>;
}

export async function openBench(
  baseUrl: string,
  more: Record<string, unknown> = {},
  retryPolicy: Partial<RetryPolicy> = HASTE,
): Promise<Bench> {
  const { database, drop, url } = await createTestDatabase();
  const directory = await mkdtemp(join(tmpdir(), "connectors-"));
  const path = join(directory, "connectors.json");
  const secret = join(directory, "secret");
  await writeFile(secret, `${CLIENT_SECRET}\n`);
  const client = { client_id: "credentials", client_secret_file: secret };
  const own =
    more.type === "moodle" || more.type === "canvas"
      ? { token_file: secret, organisation: "Uni" }
      : more.type === "oneroster"
        ? { ...client, organisation: "Uni", token_url: `${baseUrl}/oauth2/token?appName=lc` }
        : { ...client, username: SERVICE_USER };
  const given = {
    id: "lms",
    type: "openedx",
    base_url: baseUrl,
    allow_http: true,
    courses: { only_configured: false },
    requests_per_minute: 100_000,
    ...own,
    ...more,
  };
  await writeFile(path, JSON.stringify([given]));
  let logged = "";
  const log = pino({ level: "trace" }, { write: (line) => (logged += line) });
  const requests: string[] = [];
  const openAt = async (file: string, signal = new AbortController().signal) => {
    const [settings] = await readConnectors(file, builtInConnectors);
    if (!settings) throw new Error("there is no connector");
    return partsOf(database, settings, log, requests, retryPolicy, signal);
  };
  const open = (signal?: AbortSignal) => openAt(path, signal);
  return {
    database,
    log,
    url,
    place: { DATABASE_URL: url, DATA_DIR: directory, CONNECTORS_FILE: path },
    logged: () => logged,
    requests,
    open,
    async openWith(settings) {
      const file = join(directory, "connectors-more.json");
      await writeFile(file, JSON.stringify([{ ...given, ...settings }]));
      return openAt(file);
    },
    async sweep(options = {}, signal = new AbortController().signal) {
      return runSweep(await open(signal), { cause: "test", ...options }, signal);
    },
    async close() {
      await expectNobodyNamed(database, logged + requests.join());
      await drop();
      await rm(directory, { recursive: true });
    },
  };
}

/** Matches what no log, metric or report may contain: names, addresses, and credentials for the platform. */
export const PERSONAL = /learner\d|secretmail|Qvortrup|Changed\d+ Name|token-\d|retired__user/;

/** Checks that neither the output of a connector nor its stored sweeps contain personal data. */
async function expectNobodyNamed({ knex }: Database, said: string): Promise<void> {
  const { rows } = await knex.raw(
    "select tally::text as text from connector_sweeps union all select reason from connector_sweeps " +
      "union all select concat(cursor, error) from connector_stages",
  );
  const all = said + rows.map(({ text }: { text: string }) => text).join("\n");
  expect(all).not.toMatch(PERSONAL);
  expect(all).not.toContain(CLIENT_SECRET);
}

function partsOf(
  database: Database,
  settings: Awaited<ReturnType<typeof readConnectors>>[number],
  log: Logger,
  requests: string[],
  retryPolicy: Partial<RetryPolicy>,
  signal: AbortSignal,
) {
  const http = createPoliteClient({
    baseUrl: settings.base_url,
    requestsPerMinute: settings.requests_per_minute,
    concurrency: settings.concurrency,
    retryPolicy,
    metrics: { request: (endpoint, code) => requests.push(`${endpoint} ${code}`), throttled: () => {} },
    signal,
  });
  const source = settings.driver.open(settings.own, http);
  return { database, settings, log, http, source };
}
