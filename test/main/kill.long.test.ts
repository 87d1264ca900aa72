import { once } from "node:events";
import { readFile, rm } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { attachToEmbeddedPostgres } from "#infrastructure/db/embedded/postgres.js";
import { rowsOf } from "../support/database.js";
import { readPasted } from "./pasted.js";
import { givenProgram } from "./program.js";

/**
 * When a start is killed, in milliseconds: while it creates Postgres, migrates, loads data, or makes the first
 * documents.
 */
const MOMENTS = [300, 600, 900, 1200, 1500, 1800, 2100, 2400, 2700, 3000];

const program = givenProgram();

test("after kills at any moment of its first starts, its state equals that of one that was never killed", {
  timeout: 300_000,
}, async () => {
  const settings = { DATA_DIR: program.scratch("data"), HTTP_PORT: "0", GRPC_PORT: "0" };
  for (const moment of MOMENTS) {
    const killed = program.start(["serve", "--sample-data"], settings);
    await sleep(moment);
    await killed.end("SIGKILL");
  }
  await endLeases(settings);
  const unharmed = { ...settings, DATA_DIR: program.scratch("unharmed") };
  expect(await settledCredentials(settings)).toEqual(await settledCredentials(unharmed));
});

test("if its Postgres is killed, it ends with the reason, and recovers when it is started again", async () => {
  const settings = { DATA_DIR: program.scratch("bereft"), HTTP_PORT: "0", GRPC_PORT: "0", LOG_LEVEL: "info" };
  const data = `${settings.DATA_DIR}/postgres/cluster/data`;
  const killPostgres = async () => {
    const [pid] = (await readFile(`${data}/postmaster.pid`, "utf8")).split("\n");
    return () => killUnlessGone(Number(pid));
  };
  for (const reason of ["start the service again", "its files are gone: restore"]) {
    const service = program.start(["serve"], settings);
    const [, httpUrl] = await service.says(/HTTP +(http:\S+)[\s\S]*Press Ctrl-C to stop\.\n/);
    expect((await fetch(`${httpUrl}/readyz`)).status).toBe(200);
    const ended = once(service.process, "exit");
    const kill = await killPostgres();
    if (reason.includes("gone")) await rm(data, { recursive: true, force: true });
    kill();
    expect(await ended).toEqual([1, null]);
    expect(service.stderr()).toContain(reason);
  }
});

test("a kill loses verification counts of at most the last ten seconds", async () => {
  const settings = {
    DATA_DIR: program.scratch("counted"),
    HTTP_PORT: "0",
    GRPC_PORT: "0",
    PUBLIC_RATE_LIMIT: "0",
  };
  const service = program.start(["serve", "--sample-data"], settings);
  const [, httpUrl] = await service.says(/HTTP +(http:\S+)[\s\S]*Press Ctrl-C to stop\.\n/);
  const page = /\/metadata\/([0-9a-f-]{36})/.exec(service.stdout());
  const route = `${httpUrl}/api/learning_credentials/v1/metadata/${page?.[1]}/`;
  const answered: number[] = [];
  let isKilled = false;
  const request = async () => {
    while (!isKilled) {
      const answer = await fetch(route).catch(() => undefined);
      await answer?.arrayBuffer().catch(() => undefined);
      if (answer?.status === 200) answered.push(performance.now());
    }
  };
  const requesting = Array.from({ length: 20 }, request);
  await sleep(25_000);
  const killedAt = performance.now();
  const ended = service.end("SIGKILL");
  isKilled = true;
  await Promise.all([ended, ...requesting]);
  const again = program.start(["serve"], settings);
  await again.says(/Press Ctrl-C to stop\.\n/);
  const rows = await rowsOf<{ count: number }>(
    (await attachToEmbeddedPostgres(settings.DATA_DIR))?.url ?? "",
    "select sum(count)::integer as count from daily_figures where kind = 'verified'",
  );
  await again.end("SIGTERM");
  const reported = answered.filter((at) => at < killedAt - 10_000).length;
  expect(reported).toBeGreaterThan(500);
  expect(rows[0]?.count).toBeGreaterThanOrEqual(reported);
  expect(rows[0]?.count).toBeLessThanOrEqual(answered.length + requesting.length);
});

/**
 * Kills a process unless it has already ended. A Postgres may have ended with a panic because its files were deleted.
 */
function killUnlessGone(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Ends the leases of killed workers, so that the next start takes over their jobs. */
async function endLeases(settings: { DATA_DIR: string }): Promise<void> {
  const service = program.start(["serve"], settings);
  await service.says(/Press Ctrl-C to stop\.\n/);
  const url = (await attachToEmbeddedPostgres(settings.DATA_DIR))?.url ?? "";
  await rowsOf(url, "update jobs set leased_until = now() where leased_until is not null");
  await service.end("SIGTERM");
}

/** Starts the service and waits until no credential is generating. @returns the learner and the status of each */
async function settledCredentials(settings: Record<string, string>): Promise<string[]> {
  const service = program.start(["serve", "--sample-data"], settings);
  const [, httpUrl] = await service.says(/HTTP +(http:\S+)[\s\S]*Press Ctrl-C to stop\.\n/);
  const { SERVICE } = readPasted(service.stdout()).variables;
  const list = async () => {
    const response = await fetch(`${httpUrl}/learning_credentials.v1.CredentialService/ListCredentials`, {
      method: "POST",
      headers: { authorization: `Bearer ${SERVICE}`, "content-type": "application/json" },
      body: "{}",
    });
    const { credentials } = (await response.json()) as { credentials: Record<string, string>[] };
    // Ids are not compared, because an id that a killed start has drawn from the sequence is not drawn again.
    return credentials.map(
      ({ username, learningContextKey, credentialType, status }) =>
        `${username} ${learningContextKey} ${credentialType} ${status}`,
    );
  };
  const generating = async () => (await list()).filter((each) => each.endsWith("_GENERATING"));
  await expect.poll(generating, { timeout: 180_000, interval: 200 }).toEqual([]);
  const settled = await list();
  expect(await program.run(["doctor"], settings)).toMatchObject({ exitCode: 0 });
  expect(await service.end("SIGTERM")).toMatchObject({ exitCode: 0 });
  return settled.sort();
}
