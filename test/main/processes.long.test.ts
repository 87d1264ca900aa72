import { readFile, writeFile } from "node:fs/promises";
import { expect, test, vi } from "vitest";
import { givenProgram, type Running } from "./program.js";
import { startSteadyLoad } from "./steady-load.js";

const START_MS = 150_000;

const program = givenProgram();

interface Line {
  readonly msg: string;
  readonly pid?: number;
  readonly process?: string;
  readonly childPid?: number;
  readonly httpPort?: number;
  readonly grpcPort?: number;
  readonly adminPort?: number;
}

function logOf(service: Running): Line[] {
  const lines = service.stderr().split("\n").slice(0, -1);
  return lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
}

/** Waits until at least this many lines of the log have this message. */
async function logged(service: Running, msg: string, count = 1): Promise<Line[]> {
  const found = () => logOf(service).filter((line) => line.msg === msg);
  await vi.waitUntil(() => found().length >= count, { timeout: START_MS, interval: 50 });
  return found();
}

async function startService(name: string, args: readonly string[], more: Record<string, string> = {}) {
  const settings = {
    DATA_DIR: program.scratch(name),
    HTTP_PORT: "0",
    GRPC_PORT: "0",
    ADMIN_PORT: "0",
    PUBLIC_RATE_LIMIT: "0",
    LOG_LEVEL: "info",
    ...more,
  };
  const service = program.start(["serve", ...args], settings);
  await service.says(/Press Ctrl-C to stop\.\n/);
  const serving = logOf(service).find(({ msg, adminPort }) => msg === "serving" && adminPort !== undefined);
  return {
    service,
    httpUrl: `http://127.0.0.1:${serving?.httpPort}`,
    grpcAddress: `127.0.0.1:${serving?.grpcPort}`,
    adminUrl: `http://127.0.0.1:${serving?.adminPort}`,
  };
}

/** Returns the ids of the serving processes. The parent logs the same message without a pid. */
function servingPids(service: Running): number[] {
  return logOf(service).flatMap(({ msg, pid }) => (msg === "serving" && pid !== undefined ? [pid] : []));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function readyz(adminUrl: string) {
  const response = await fetch(`${adminUrl}/readyz`);
  return (await response.json()) as { status: string; processes: object[] };
}

const ALL_READY = ["1", "2", "jobs"].map((name) => ({ name, isReady: true }));

test("under load, a killed process fails only its own calls; SIGHUP and SIGTERM fail none", {
  timeout: 900_000,
}, async () => {
  const { service, httpUrl, grpcAddress, adminUrl } = await startService("rolling", ["--processes", "2"]);
  const [first, second] = servingPids(service) as [number, number];
  const load = startSteadyLoad(httpUrl, grpcAddress, 200);
  await load.more(200);

  const killed = performance.now();
  process.kill(first, "SIGKILL");
  await logged(service, "process died");
  await logged(service, "process is running again");
  const replaced = performance.now();
  await load.more(200);
  const strange = load.failures.filter(({ began, ended }) => began > replaced || ended < killed);
  expect(strange).toEqual([]);
  // Each of the 16 callers may have lost one call, because the killed process was handling the call or accepting its
  // connection.
  expect(load.failures.length).toBeLessThanOrEqual(16);

  const failuresByKill = load.failures.length;
  process.kill(service.process.pid as number, "SIGHUP");
  await logged(service, "process replaced", 3);
  await vi.waitUntil(() => !isAlive(second), { timeout: START_MS, interval: 50 });
  await load.more(200);
  expect(load.failures.slice(failuresByKill)).toEqual([]);
  await vi.waitFor(
    async () =>
      expect(await readyz(adminUrl)).toMatchObject({
        status: "ready",
        processes: expect.arrayContaining(ALL_READY),
      }),
    { timeout: START_MS, interval: 200 },
  );
  const metrics = await (await fetch(`${adminUrl}/metrics`)).text();
  for (const name of ["1", "2", "jobs", "parent"]) {
    expect(metrics).toMatch(new RegExp(`^process_resident_memory_bytes{process="${name}"} \\d+$`, "m"));
  }
  expect(metrics).toContain('learning_credentials_process_restarts{process="1"} 1\n');
  expect(metrics).toMatch(/learning_credentials_call_seconds_count{.*process="2".*} [1-9]/);
  await load.stop();

  const pids = logOf(service).flatMap(({ pid, childPid }) => [pid ?? 0, childPid ?? 0]);
  expect(await service.end("SIGTERM")).toMatchObject({ exitCode: 0 });
  expect([...new Set(pids)].filter((pid) => pid > 0 && isAlive(pid))).toEqual([]);
});

test("with sample data, Ctrl-C ends all; a killed parent leaves none; jobs run in a separate process", {
  timeout: 900_000,
}, async () => {
  const { service } = await startService("sample", ["--processes", "1", "--sample-data"]);
  expect(service.stdout()).toMatch(/Ana Kovač \(ana\.kovac\) passed with 92\.35 % and has the certificate/);
  const children = await childrenOf(service.process.pid as number);
  expect(children.length).toBe(3); // one serves, one runs jobs, and one is PostgreSQL
  expect(await service.end("SIGINT", "group")).toMatchObject({ exitCode: 0 });
  expect(children.filter(isAlive)).toEqual([]);

  const again = await startService("sample", ["--processes", "2"]);
  const left = await childrenOf(again.service.process.pid as number);
  await again.service.end("SIGKILL");
  await vi.waitUntil(() => left.every((pid) => !isAlive(pid)), { timeout: 30_000, interval: 50 });
});

test("a process that can no longer start ends the service, with the reason; a process that can't be replaced keeps running", {
  timeout: 900_000,
}, async () => {
  const secret = program.scratch("secret");
  await writeFile(secret, "a secret that has more than 32 characters");
  const { service, httpUrl } = await startService("broken", ["--processes", "1", "--no-worker"], {
    URL_SIGNING_SECRET_FILE: secret,
  });
  const [pid] = servingPids(service) as [number];
  await writeFile(secret, "short");
  process.kill(service.process.pid as number, "SIGHUP");
  await logged(service, "new process ended before it was ready; the old one keeps running");
  expect((await fetch(`${httpUrl}/readyz`)).status).toBe(200);
  expect(isAlive(pid)).toBe(true);

  process.kill(pid, "SIGKILL");
  await vi.waitUntil(() => service.process.exitCode !== null, { timeout: 200_000, interval: 100 });
  expect(service.process.exitCode).toBe(1);
  expect(service.stderr()).toContain("URL_SIGNING_SECRET: must have at least 32 characters");
  expect(service.stderr()).toMatch(
    /Process 1 ended 10 times in a row during or soon after startup, .* with exit code 1/,
  );
});

test.each([
  ["0", /must be a number of processes, 1 to 256, or auto/],
  ["many", /must be a number of processes, 1 to 256, or auto/],
])("--processes %s is refused", async (number, reason) => {
  const { exitCode, stderr } = await program.run(["serve", "--processes", number]);
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(reason);
});

test("a port in use ends the start immediately, with the reason", { timeout: 300_000 }, async () => {
  const { service, httpUrl } = await startService("holder", ["--no-worker"]);
  const settings = { DATA_DIR: program.scratch("late"), HTTP_PORT: new URL(httpUrl).port, GRPC_PORT: "0" };
  const { exitCode, stderr } = await program.run(["serve", "--processes", "2"], settings);
  expect(exitCode).toBe(1);
  expect(stderr).toContain("the port is in use. Set HTTP_PORT");
  expect(stderr).toContain("Process 1 ended before it was ready, with exit code 1.");
  expect(await service.end("SIGTERM")).toMatchObject({ exitCode: 0 });
});

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
  return text.trim().split(" ").map(Number);
}
