import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { ended, startOn } from "../commands/run-command.js";
import { loadAcademy } from "../eligibility/academy.js";
import { freePort } from "../support/free-port.js";
import { startTestService, type TestService, tokenOf } from "../support/service.js";
import { startFakeMoodle } from "./fake-moodle.js";
import { CLIENT_SECRET } from "./fake-open-edx.js";
import type { FaultyServer } from "./faulty-server.js";
import { bombs, bytes, dripping, type HostileServer, startHostileServer, within } from "./hostile-server.js";
import { createPlatformData } from "./platform-data.js";

/** Each test starts several processes. */
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

/** Maximum heap of a process, in MB. `connector sync` alone needs about 60 MB. */
const HEAP = "256";

let service: TestService;
let evil: HostileServer;
let good: FaultyServer;
let verifyUuid: string;

beforeAll(async () => {
  [service, evil, good] = await Promise.all([
    startTestService({ worker: true }),
    startHostileServer(bytes("[]")),
    startFakeMoodle(createPlatformData({ courses: 1, learners: 2 }), new Set()),
  ]);
  const KEY = "course-v1:Uni+Verified+1";
  const learner = { username: "ana", record: "kept", inPath: "none" } as const;
  const [configurationId = 0] = await loadAcademy(service.app.database, {
    courses: [{ key: KEY, isWithdrawn: false, policy: [] }],
    learners: [{ ...learner, in: { [KEY]: { enrollment: "active", grades: [] } } }],
    credentials: [{ retrieval: "retrieve_completions", options: { required_completion: 0 } }],
  });
  const credentials = service.client(CredentialService, await tokenOf({ username: "lms", service: "write" }));
  const { uuid } = await credentials.issueCredential({ configurationId, username: "ana" });
  const get = () => credentials.getCredential({ uuid });
  const isMade = async () => (await get()).status === CredentialStatus.AVAILABLE;
  await vi.waitUntil(isMade, { timeout: 60_000, interval: 50 });
  verifyUuid = (await get()).verifyUuid;
});
afterAll(() => Promise.all([evil.close(), good.close(), service.stop()]));

/** Returns the settings of a process on the service's database, with both platforms. */
async function place(more: Record<string, unknown> = {}) {
  const { dataDir } = service.app.config;
  const CONNECTORS_FILE = join(dataDir, "connectors.json");
  await writeFile(join(dataDir, "secret"), CLIENT_SECRET);
  const common = {
    type: "moodle",
    token_file: join(dataDir, "secret"),
    allow_http: true,
    courses: { only_configured: false },
    requests_per_minute: 100_000,
  };
  await writeFile(
    CONNECTORS_FILE,
    JSON.stringify([
      { ...common, id: "evil", base_url: evil.url, organisation: "Evil", ...more },
      { ...common, id: "good", base_url: good.url, organisation: "Uni" },
    ]),
  );
  return { DATABASE_URL: service.app.database.url, DATA_DIR: dataDir, CONNECTORS_FILE };
}

async function run(...args: string[]) {
  const settings = { ...(await place()), NODE_OPTIONS: `--max-old-space-size=${HEAP}` };
  return ended(startOn(settings, ["connector", ...args]));
}

describe("a command that reads ends with a heap of 256 MB, and gives the reason", () => {
  test.each(bombs)("%s", async (_, answer, bound) => {
    evil.answer = answer();
    const { code, out, err } = await run("sync", "evil");
    expect(out).toMatch(/^failed: core_course_get_courses: the response has more than .*, the most allowed/m);
    expect(out).toMatch(bound);
    expect([code, err]).toEqual([1, ""]);
  });

  test.each(within)("within all bounds: %s", async (_, answer) => {
    evil.answer = answer();
    const { code, out, err } = await run("sync", "evil");
    expect(err).toBe("");
    expect(out).toMatch(
      /^(failed: core_course_get_courses: .*(missing or invalid|unexpected format)|partial:)/m,
    );
    expect(code).toBe(1);
  });

  test("a false length", async () => {
    evil.answer = bytes("[]", { "content-length": 64 * 1024 * 1024 });
    const { code, out } = await run("sync", "evil");
    expect(out).toMatch(/^failed: core_course_get_courses: the response has more than 32 MiB/m);
    expect(code).toBe(1);
  });
});

/** Starts `serve` on the test service's database, and collects its log. */
async function startService(more: Record<string, unknown> = {}) {
  const httpPort = await freePort();
  const settings = { HTTP_PORT: String(httpPort), GRPC_PORT: String(await freePort()), LOG_LEVEL: "info" };
  const child = startOn({ ...(await place(more)), ...settings }, ["serve"]);
  let log = "";
  child.stderr.on("data", (chunk) => (log += chunk));
  const url = `http://127.0.0.1:${httpPort}/api/learning_credentials/v1/metadata/${verifyUuid}/`;
  const verify = () =>
    fetch(url).then(
      ({ status }) => status,
      () => 0,
    );
  await expect.poll(verify, { timeout: 60_000 }).toBe(200);
  return { child, verify, log: () => log, pid: Number(child.pid) };
}

function childrenOf(pid: number): number[] {
  const list = execFileSync("ps", ["-e", "-o", "pid=,ppid=,args="], { encoding: "utf8" });
  return list
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, ...args]) => Number(parent) === pid && args.includes("follow"))
    .map(([child]) => Number(child));
}

const lastSweepOf = async (connector: string) => {
  const rows = await service.app.database.knex("connector_sweeps").where({ connector }).orderBy("id", "desc");
  return { count: rows.length, ...rows[0] };
};
const pauseOf = (connector: string) =>
  service.app.database.knex("connector_pauses").where({ connector }).first();

test("no response of a platform ends the service, which continues to respond", async () => {
  const [, bomb] = bombs[0] ?? [];
  if (bomb) evil.answer = bomb();
  await service.app.database.knex("connector_sweeps").del();
  const running = await startService();
  const answers: number[] = [];
  const requesting = setInterval(async () => answers.push(await running.verify()), 50);
  await expect
    .poll(() => lastSweepOf("evil"), { timeout: 60_000 })
    .toMatchObject({
      state: "failed",
      reason: expect.stringContaining("core_course_get_courses: the response has more than 1000000 values"),
    });
  evil.answer = dripping;
  await expect.poll(() => lastSweepOf("good"), { timeout: 60_000 }).toMatchObject({ state: "complete" });
  clearInterval(requesting);
  expect(answers.length).toBeGreaterThan(3);
  expect(new Set(answers)).toEqual(new Set([200]));
  expect(running.child.exitCode).toBeNull();
  expect(running.log()).toContain("sync incomplete");
  running.child.kill("SIGTERM");
  await ended(running.child);
});

test("a sweep that ended its process is not started again automatically, even after a restart", async () => {
  evil.answer = () => {}; // no response, so the sweep waits
  await service.app.database.knex("connector_sweeps").del();
  evil.received = 0;
  const first = await startService();
  await expect.poll(() => evil.received, { timeout: 60_000 }).toBe(1);
  const [reader = 0, ...others] = childrenOf(first.pid);
  expect(others).toEqual([]);
  process.kill(reader, "SIGKILL"); // as when it reaches its memory limit

  await expect.poll(() => pauseOf("evil"), { timeout: 60_000 }).toMatchObject({ until: expect.any(Date) });
  await expect.poll(() => lastSweepOf("good"), { timeout: 60_000 }).toMatchObject({ state: "complete" });
  expect(await first.verify()).toBe(200);
  expect(first.log()).toContain('"process died"');
  expect(first.log()).toMatch(/"connector":"evil".*stopped reading the platform after failures; see/);
  const status = await run("status", "evil");
  expect(status.out).toMatch(
    /paused until .*: reading it has failed once \(the process that was reading it ended unexpectedly\)\. .*connector sync evil/,
  );
  first.child.kill("SIGTERM");
  await ended(first.child);

  await service.app.database.knex("connector_sweeps").where({ connector: "good" }).del();
  const second = await startService();
  // Connectors are checked in their order, so the other connector was skipped.
  await expect.poll(() => lastSweepOf("good"), { timeout: 60_000 }).toMatchObject({ state: "complete" });
  expect(await pauseOf("evil")).toMatchObject({ failures: 1 });
  expect(evil.received).toBe(1);
  second.child.kill("SIGTERM");
  await ended(second.child);

  evil.answer = bytes("[]");
  expect((await run("sync", "evil")).out).toMatch(/^complete: Nothing was read/m);
  expect(await pauseOf("evil")).toBeUndefined();
});

test("pages that never end are bounded", async () => {
  evil.answer = (request, response) => {
    const { pathname } = new URL(request.url ?? "", evil.url);
    const body = pathname.startsWith("/oauth2")
      ? { access_token: "x", expires_in: 3600 }
      : { results: [], pagination: { next: `${pathname}?page=${evil.received}` } };
    bytes(JSON.stringify(pathname.includes("retirements") ? [] : body))(request, response);
  };
  evil.received = 0;
  const edx = { type: "openedx", client_id: "x", client_secret_file: "secret", username: "x" };
  const settings = await place({ ...edx, token_file: undefined, organisation: undefined });
  const { code, out } = await ended(startOn(settings, ["connector", "sync", "evil"]));
  expect(out).toMatch(/^failed: courses: the list has more than 2000 pages, which is the maximum/m);
  expect(code).toBe(1);
  expect(evil.received).toBeLessThan(2100);
});

test("the process that reads ends with the service that started it, however that ends", async () => {
  const running = await startService();
  await expect.poll(() => childrenOf(running.pid).length, { timeout: 60_000 }).toBe(1);
  const [reader = 0] = childrenOf(running.pid);
  running.child.kill("SIGKILL");
  const isAlive = () => {
    try {
      return process.kill(reader, 0);
    } catch {
      return false;
    }
  };
  await expect.poll(isAlive, { timeout: 60_000 }).toBe(false);
});
