import { createSocket } from "node:dgram";
import { once } from "node:events";
import { expect, onTestFinished, test, vi } from "vitest";
import { createTestDatabase } from "../support/database.js";
import { freePort } from "../support/free-port.js";
import { startHaproxy, whyNoHaproxy } from "../support/haproxy.js";
import { SETTINGS } from "../support/service.js";
import { buildProgram, type Program, type Running } from "./program.js";
import { SECRET_PATHS } from "./secret-paths.js";
import { startSteadyLoad } from "./steady-load.js";

const START_MS = 60_000;

/** The ports in the configuration file. Each is replaced by a free port. */
const PORTS = ["8080", "50051", "8081", "8082", "50052", "50053", "9464", "9465"];

test("two services behind HAProxy are restarted one after the other under load, and no call fails", {
  timeout: 400_000,
}, async ({ skip }) => {
  const reason = whyNoHaproxy();
  if (reason) {
    console.warn(`skipped: a rolling restart behind HAProxy; ${reason}`);
    return skip();
  }
  const program = await buildProgram();
  onTestFinished(() => program.remove());
  const ports = new Map(await Promise.all(PORTS.map(async (port) => [port, await freePort()] as const)));
  const port = (name: string) => String(ports.get(name));
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  const settings = {
    ...SETTINGS,
    DATABASE_URL: url,
    DATABASE_POOL_SIZE: "5",
    DATA_DIR: program.scratch("data"),
    PUBLIC_URL: `http://127.0.0.1:${port("8080")}`,
    TRUSTED_PROXIES: "1",
    SHUTDOWN_DELAY: "3",
    LOG_LEVEL: "info",
  };
  const one = { ...settings, HTTP_PORT: port("8081"), GRPC_PORT: port("50052"), ADMIN_PORT: port("9464") };
  const two = { ...settings, HTTP_PORT: port("8082"), GRPC_PORT: port("50053"), ADMIN_PORT: port("9465") };
  const start = (each: Record<string, string>) => startService(program, each);
  const services = [await start(one), await start(two)] as const;
  onTestFinished(await startHaproxy("haproxy.cfg", ports));
  const isUp = () =>
    fetch(`http://127.0.0.1:${port("8080")}/livez`).then(
      ({ ok }) => ok,
      () => false,
    );
  await vi.waitUntil(isUp, { timeout: START_MS, interval: 100 });

  const load = startSteadyLoad(`http://127.0.0.1:${port("8080")}`, `127.0.0.1:${port("50051")}`, 200);
  await load.more(400);
  expect(await services[0].end("SIGTERM")).toMatchObject({ exitCode: 0 });
  await load.more(200);
  const again = await start(one);
  await waitUntilUsed(again, one.ADMIN_PORT);
  await load.more(200);
  expect(await services[1].end("SIGTERM")).toMatchObject({ exitCode: 0 });
  await load.more(200);
  const other = await start(two);
  await waitUntilUsed(other, two.ADMIN_PORT);

  process.kill(again.process.pid as number, "SIGHUP");
  await vi.waitUntil(() => again.stderr().split('"msg":"process replaced"').length > 3, {
    timeout: START_MS,
    interval: 50,
  });
  await load.more(400);
  await load.stop();
  expect(load.failures).toEqual([]);
  for (const each of [again, other]) expect(await each.end("SIGTERM")).toMatchObject({ exitCode: 0 });
});

test("HAProxy's request log contains no secret address", async ({ skip }) => {
  const reason = whyNoHaproxy();
  if (reason) {
    console.warn(`skipped: the log of HAProxy; ${reason}`);
    return skip();
  }
  const lines: string[] = [];
  const syslog = createSocket("udp4", (line) => void lines.push(String(line))).bind(0, "127.0.0.1");
  await once(syslog, "listening");
  onTestFinished(() => void syslog.close());
  const ports = new Map(await Promise.all(PORTS.map(async (port) => [port, await freePort()] as const)));
  onTestFinished(await startHaproxy("haproxy.cfg", ports, syslog.address().port));
  const front = `http://127.0.0.1:${ports.get("8080")}`;
  // No service runs behind HAProxy yet, so HAProxy itself responds.
  const request = (path: string) =>
    fetch(`${front}${path}`).then(
      ({ status }) => status,
      () => 0,
    );
  await vi.waitUntil(async () => (await request("/verify/first")) === 503, {
    timeout: START_MS,
    interval: 100,
  });
  for (const path of SECRET_PATHS) expect(await request(path)).toBe(503);
  await request("/verify/last");
  await expect.poll(() => lines.join("\n")).toContain("/verify/last");
  expect(lines.join("\n")).not.toContain("a-secret");
});

async function startService(program: Program, settings: Record<string, string>): Promise<Running> {
  const service = program.start(["serve", "--processes", "2"], settings);
  await service.says(/Press Ctrl-C to stop\.\n/);
  return service;
}

/** Waits until the service has answered calls that came through the proxy. */
async function waitUntilUsed(service: Running, adminPort: string): Promise<void> {
  const used = async () => {
    const metrics = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text();
    const counts = metrics.matchAll(
      /^learning_credentials_call_seconds_count{.*GetCredentialMetadata.*} (\d+)$/gm,
    );
    return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
  };
  await vi.waitUntil(async () => (await used()) > 100, { timeout: START_MS, interval: 200 });
  expect(service.process.exitCode).toBeNull();
}
