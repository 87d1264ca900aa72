import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test, vi } from "vitest";
import { newSigningKey } from "#formats/badges/signing-key.js";
import { readSeal } from "#formats/sealing/sealed-pdf.js";
import { readCheckpoint } from "#formats/transparency/checkpoint.js";
import { tilePath } from "#formats/transparency/tiles.js";
import { startOn } from "../../commands/run-command.js";
import { type Authority, openAuthority, openTsa, type Tsa } from "../../sealing/authority.js";
import { type Academy, openAcademy } from "../../support/academy.js";
import { given } from "../../support/given.js";
import { expectHealthy, findingsOn } from "../../support/health.js";
import { asOwner } from "../checkpoints/forge.js";
import { seal } from "../events/chain.js";

vi.setConfig({ testTimeout: 600_000, hookTimeout: 120_000 });

const LEARNERS = 40;

const place = given<{ authority: Authority; tsa: Tsa; academy: Academy; settings: Record<string, string> }>(
  async () => {
    const authority = await openAuthority();
    const tsa = await openTsa(authority.directory, await authority.issueTsa("tsa"));
    const { certFile, keyFile } = await authority.issue("seal", "P-256");
    const settings = {
      LEARNING_CREDENTIALS_PLUGINS: fileURLToPath(
        new URL("../../support/sealing-plugin.js", import.meta.url),
      ),
      PDF_SEAL_CERT_FILE: certFile,
      PDF_SEAL_KEY_FILE: `academy.signers.mortal:${keyFile}`,
      PDF_SEAL_TIMESTAMP: "required",
      TSA_URLS: tsa.url,
      TSA_CA_FILE: authority.caFile,
    };
    return { authority, tsa, settings, academy: await openAcademy() };
  },
  async ({ authority, tsa, academy }) => {
    await academy.service.stop();
    await tsa.close();
    await authority.remove();
  },
);

let worker: ChildProcessWithoutNullStreams | undefined;
afterAll(() => void worker?.kill("SIGKILL"));

function startWorker(further: Record<string, string> = {}): ChildProcessWithoutNullStreams {
  const { config, database } = place.academy.service.app;
  const started = startOn(
    { DATABASE_URL: database.url, DATA_DIR: config.dataDir, ...place.settings, ...further },
    ["worker"],
  );
  worker = started;
  return started;
}

async function untilRunning(): Promise<ChildProcessWithoutNullStreams> {
  const started = startWorker();
  for await (const chunk of started.stdout) if (String(chunk).includes("is running jobs")) return started;
  throw new Error(`the worker has ended: ${started.stderr.read()}`);
}

/** Returns the number of available credentials. Expects that each of them has a sealed file, and no other file. */
async function countSealed(): Promise<number> {
  const { academy } = place;
  const available = await academy.service.app.database.knex("credentials").where({ status: "available" });
  for (const { uuid, file_key } of available) {
    const path = join(academy.service.app.config.dataDir, "files", file_key);
    const seal = readSeal(await readFile(path));
    expect(seal?.timestamp).toBeDefined();
    const row = await academy.service.app.database
      .knex("credential_seals")
      .where({ credential_uuid: uuid })
      .first();
    expect(row.cms.equals(seal?.cms)).toBe(true);
  }
  return available.length;
}

/**
 * Ends the leases of a killed worker, so that the next worker need not wait for their end. Also resets the attempts,
 * because ten kills could use up all five attempts of a job.
 */
const endLeases = () =>
  place.academy.service.app.database
    .knex("jobs")
    .update({ leased_until: new Date(), attempts: 1 })
    .whereNotNull("leased_until");

test("workers that are killed at each step of sealing publish nothing that is not sealed", async () => {
  const { academy, authority, tsa } = place;
  const usernames = Array.from({ length: LEARNERS }, (_, index) => `learner${index}`);
  await academy.enrol(...usernames);
  const issue = (username: string) => academy.issue(username);

  // Each kill happens during a signature, during a request for a timestamp, or some time after a timestamp was
  // received.
  const kills: ((of: () => number | undefined) => Promise<void> | void)[] = [
    () => writeFile(join(authority.directory, "seal.key.kill"), ""),
    (pid) => {
      tsa.instead = () => kill(pid());
    },
    ...[0, 2, 5, 10, 20, 30, 40, 60].map((moment) => (pid: () => number | undefined) => {
      tsa.instead = async (request, response) => {
        response.setHeader("content-type", "application/timestamp-reply").end(await tsa.honest(request));
        await sleep(moment);
        kill(pid());
      };
    }),
  ];
  for (const [index, prepare] of kills.entries()) {
    const running = await untilRunning();
    await prepare(() => running.pid);
    const gone = once(running, "exit");
    for (const username of usernames.splice(0, LEARNERS / kills.length)) await issue(username);
    expect([index, await gone]).toEqual([index, [null, "SIGKILL"]]);
    tsa.instead = undefined;
    await countSealed();
    await endLeases();
  }
  const last = await untilRunning();
  // On a busy machine, the authority may respond too late. It is then skipped for a while, and jobs try again within
  // two minutes.
  await expect.poll(countSealed, { timeout: 300_000, interval: 500 }).toBe(LEARNERS);
  last.kill("SIGTERM");
  await once(last, "exit");
  await expectHealthy(academy.service);
});

/**
 * Publishing takes steps that are visible from outside: tiles, a row, the checkpoint in the list, the latest
 * checkpoint, timestamps. The worker is killed as soon as each step is visible, and while it signs.
 */
test("workers that are killed at each step of publishing leave a log that never contradicts itself", async () => {
  const { academy, authority, tsa } = place;
  const { database, config } = academy.service.app;
  const { knex } = database;
  const logKey = join(authority.directory, "log.pem");
  await writeFile(logKey, newSigningKey("Ed25519"));
  const further = { PUBLIC_URL: "https://log.test", LOG_KEY_FILE: `academy.signers.mortal:${logKey}` };
  const directory = join(config.dataDir, "files", `${config.outputDir}_log`, "1");
  const checkpointsKnown = async () => Number((await knex("log_checkpoints").count())[0]?.count);
  const latest = () => readFile(join(directory, "checkpoint"), "utf8").catch(() => "");
  const sizeNow = async () => Number((await knex("credential_event_head").first()).position);
  const isThere = (name: string) => async () => existsSync(join(directory, name));

  const steps: Record<string, (size: number, before: string, rows: number) => () => Promise<boolean>> = {
    "first tile": (size) => isThere(tilePath({ level: 0, index: Math.floor(size / 256) - 1, width: 256 })),
    "last bundle": (size) =>
      isThere(tilePath({ level: "entries", index: Math.floor(size / 256), width: size % 256 })),
    row: (_size, _before, rows) => async () => (await checkpointsKnown()) > rows,
    checkpoint: (size) => isThere(`checkpoints/${size}`),
    latest: (_size, before) => async () => (await latest()) !== before,
  };
  const findings = async () => {
    const found = await findingsOn(academy.service.app, { anchorsFile: authority.caFile });
    return found.filter(({ kind }) => /checkpoint|log|chain/.test(kind));
  };
  /** Seals more events than fit into the tiles of one query, and moves the last checkpoint into the past. */
  async function givenNews(): Promise<void> {
    await seal(knex, 9000);
    await asOwner(knex, "update log_checkpoints set signed_at = signed_at - interval '2 hours'");
  }
  async function untilGone(started: ChildProcessWithoutNullStreams): Promise<void> {
    await once(started, "exit");
    expect(started.signalCode).toBe("SIGKILL");
    tsa.instead = undefined;
    expect(await findings()).toEqual([]);
  }

  for (const [step, isReached] of Object.entries(steps)) {
    await givenNews();
    const reached = isReached(await sizeNow(), await latest(), await checkpointsKnown());
    const started = startWorker(further);
    while (!(await reached())) {
      if (started.exitCode !== null) throw new Error(`${step}: the worker has ended`);
      await sleep(1);
    }
    kill(started.pid);
    await untilGone(started);
  }
  await givenNews();
  await writeFile(`${logKey}.kill`, "");
  await untilGone(startWorker(further));
  for (const moment of [undefined, 0, 5, 20]) {
    await givenNews();
    const started = startWorker(further);
    tsa.instead = async (request, response) => {
      if (moment !== undefined) {
        response.setHeader("content-type", "application/timestamp-reply").end(await tsa.honest(request));
        await sleep(moment);
      }
      kill(started.pid);
    };
    await untilGone(started);
  }

  const last = startWorker(further);
  const stamped = () => knex("log_timestamps").max("size as size").first();
  await expect
    .poll(async () => Number((await stamped())?.size), { timeout: 60_000, interval: 200 })
    .toBe(await sizeNow());
  last.kill("SIGTERM");
  await once(last, "exit");
  expect(readCheckpoint(await latest()).size).toBe(await sizeNow());
  expect(await findings()).toEqual([]);
});

function kill(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(pid, "SIGKILL");
  } catch {} // another request has killed it already
}
