import { once } from "node:events";
import { readFile, rm } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { attachToEmbeddedPostgres } from "../../src/db/embedded/postgres.js";
import { readPasted } from "./pasted.js";
import { buildProgram, type Program } from "./program.js";

/** When a start is killed, in milliseconds: while Postgres is made, while it migrates, loads, makes the first documents. */
const MOMENTS = [300, 600, 900, 1200, 1500, 1800, 2100, 2400, 2700, 3000];

let program: Program;

beforeAll(async () => {
  program = await buildProgram();
});

afterAll(() => program?.remove());

test("killed at any moment of its first starts, it ends up like one that never was", {
  timeout: 300_000,
}, async () => {
  const settings = { DATA_DIR: program.scratch("data"), HTTP_PORT: "0", GRPC_PORT: "0" };
  for (const moment of MOMENTS) {
    const killed = program.start(["serve", "--sample-data"], settings);
    await sleep(moment);
    await killed.end("SIGKILL");
  }
  await letAMinutePass(settings);
  const unharmed = { ...settings, DATA_DIR: program.scratch("unharmed") };
  expect(await settledCredentials(settings)).toEqual(await settledCredentials(unharmed));
});

test("its Postgres killed under it, it answers again by itself; without its files, it ends and says why", async () => {
  const settings = { DATA_DIR: program.scratch("bereft"), HTTP_PORT: "0", GRPC_PORT: "0", LOG_LEVEL: "info" };
  const service = program.start(["serve"], settings);
  const [, httpUrl] = await service.says(/HTTP {3}(http:\S+)[\s\S]*Ctrl-C stops it\.\n/);
  const ready = async () => (await fetch(`${httpUrl}/readyz`)).status;
  const postmaster = async () => {
    const [pid] = (await readFile(`${settings.DATA_DIR}/postgres/cluster/data/postmaster.pid`, "utf8")).split(
      "\n",
    );
    return Number(pid);
  };
  expect(await ready()).toBe(200);
  process.kill(await postmaster(), "SIGKILL");
  await expect.poll(service.stderr, { timeout: 60_000 }).toContain("the embedded Postgres runs again");
  await expect.poll(ready, { timeout: 60_000 }).toBe(200);

  const again = await postmaster();
  const ended = once(service.process, "exit");
  await rm(`${settings.DATA_DIR}/postgres/cluster/data`, { recursive: true, force: true });
  killUnlessGone(again);
  expect(await ended).toEqual([1, null]);
  expect(service.stderr()).toContain("its files are gone: restore");
});

/** Kills a process that may have ended by itself: a Postgres whose files are gone panics as soon as it wants one of them. */
function killUnlessGone(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Makes it two minutes ago that those who were killed were last heard of: their jobs are taken from them at the next start. */
async function letAMinutePass(settings: { DATA_DIR: string }): Promise<void> {
  const service = program.start(["serve"], settings);
  await service.says(/Ctrl-C stops it\.\n/);
  const client = new pg.Client((await attachToEmbeddedPostgres(settings.DATA_DIR))?.url);
  await client.connect();
  const ago = "- interval '2 minutes'";
  await client.query(`update worker_pools set seen_at = seen_at ${ago}`);
  await client.query(`update graphile_worker._private_jobs set locked_at = locked_at ${ago}`);
  await client.end();
  await service.end("SIGTERM");
}

/** Starts the service, waits until no credential is generating, and tells of each whose it is and what became of it. */
async function settledCredentials(settings: Record<string, string>): Promise<string[]> {
  const service = program.start(["serve", "--sample-data"], settings);
  const [, httpUrl] = await service.says(/HTTP {3}(http:\S+)[\s\S]*Ctrl-C stops it\.\n/);
  const { SERVICE } = readPasted(service.stdout()).variables;
  const list = async () => {
    const response = await fetch(`${httpUrl}/learning_credentials.v1.CredentialService/ListCredentials`, {
      method: "POST",
      headers: { authorization: `Bearer ${SERVICE}`, "content-type": "application/json" },
      body: "{}",
    });
    const { credentials } = (await response.json()) as { credentials: Record<string, string>[] };
    return credentials.map(
      ({ username, configurationId, status }) => `${username} ${configurationId} ${status}`,
    );
  };
  const generating = async () => (await list()).filter((each) => each.endsWith("_GENERATING"));
  await expect.poll(generating, { timeout: 180_000, interval: 200 }).toEqual([]);
  const settled = await list();
  expect(await program.run(["doctor"], settings)).toMatchObject({ exitCode: 0 });
  expect(await service.end("SIGTERM")).toMatchObject({ exitCode: 0 });
  return settled.sort();
}
