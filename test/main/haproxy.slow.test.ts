import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { createTestDatabase } from "../support/database.js";
import { JWT_SECRET } from "../support/service.js";
import { buildProgram, type Program, ROOT, type Running } from "./program.js";
import { startSteadyLoad } from "./steady-load.js";

const START_MS = 60_000;

/** The ports of the file, each of which is replaced by a free one. */
const PORTS = ["8080", "50051", "8081", "8082", "50052", "50053", "9464", "9465"];

test("two services behind HAProxy are restarted one after the other under load, and no call fails", {
  timeout: 400_000,
}, async ({ skip }) => {
  const reason = whyNot();
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
    DATABASE_URL: url,
    DATABASE_POOL_SIZE: "5",
    DATA_DIR: program.scratch("data"),
    PUBLIC_URL: `http://127.0.0.1:${port("8080")}`,
    URL_SIGNING_SECRET: JWT_SECRET,
    AUTH_JWT_SECRET: JWT_SECRET,
    AUTH_JWT_ISSUER: "any",
    AUTH_JWT_AUDIENCE: "any",
    HOST: "127.0.0.1",
    PUBLIC_RATE_LIMIT: "0",
    TRUSTED_PROXIES: "1",
    SHUTDOWN_DELAY: "3",
    LOG_LEVEL: "info",
  };
  const one = { ...settings, HTTP_PORT: port("8081"), GRPC_PORT: port("50052"), ADMIN_PORT: port("9464") };
  const two = { ...settings, HTTP_PORT: port("8082"), GRPC_PORT: port("50053"), ADMIN_PORT: port("9465") };
  const start = (each: Record<string, string>) => startService(program, each);
  const services = [await start(one), await start(two)] as const;
  await startHaproxy(ports);

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
  await vi.waitUntil(() => again.stderr().split('"msg":"a process is replaced"').length > 3, {
    timeout: START_MS,
    interval: 50,
  });
  await load.more(400);
  await load.stop();
  expect(load.failures).toEqual([]);
  for (const each of [again, other]) expect(await each.end("SIGTERM")).toMatchObject({ exitCode: 0 });
});

function whyNot(): string | undefined {
  if (process.getuid?.() !== 0) return "only root may run it as its file says";
  if (spawnSync("haproxy", ["-v"]).status !== 0) return "there is no haproxy: apt-get install haproxy";
  return undefined;
}

async function startService(program: Program, settings: Record<string, string>): Promise<Running> {
  const service = program.start(["serve", "--processes", "2"], settings);
  await service.says(/Ctrl-C stops it\.\n/);
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

/** Starts HAProxy on the file of the repository, with other ports and on loopback only. */
async function startHaproxy(ports: ReadonlyMap<string, number>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "learning-credentials-haproxy-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const given = await readFile(join(ROOT, ".container/haproxy.cfg"), "utf8");
  const replaced = new Set<string>();
  const text = given.replace(
    /(?<=^(?!#).*(?:\bbind |\bport |127\.0\.0\.1))(:?)(\d{4,5})\b/gm,
    (_, colon, port) => {
      replaced.add(port);
      return `${colon}${ports.get(port)}`;
    },
  );
  expect([...replaced].sort()).toEqual([...PORTS].sort());
  const file = join(directory, "haproxy.cfg");
  await writeFile(file, text.replace(/bind :/g, "bind 127.0.0.1:"));
  const proxy = spawn("haproxy", ["-W", "-db", "-f", file], { stdio: ["ignore", "inherit", "inherit"] });
  const ended = once(proxy, "exit");
  onTestFinished(async () => {
    proxy.kill("SIGTERM");
    await ended;
  });
  const isUp = () =>
    fetch(`http://127.0.0.1:${ports.get("8080")}/livez`).then(
      ({ ok }) => ok,
      () => false,
    );
  await vi.waitUntil(isUp, { timeout: START_MS, interval: 100 });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}
