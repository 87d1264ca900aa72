import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test, vi } from "vitest";
import { readSeal } from "../../../src/sealing/sealed-pdf.js";
import { startOn } from "../../commands/run-command.js";
import { type Authority, openAuthority, openTsa, type Tsa } from "../../sealing/authority.js";
import { given } from "../../support/given.js";
import { expectHealthy } from "../../support/health.js";
import { type Academy, openAcademy } from "../academy.js";

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

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

function startWorker(): ChildProcessWithoutNullStreams {
  const { config, database } = place.academy.service.app;
  const started = startOn({ DATABASE_URL: database.url, DATA_DIR: config.dataDir, ...place.settings }, [
    "worker",
  ]);
  worker = started;
  return started;
}

async function untilRunning(): Promise<ChildProcessWithoutNullStreams> {
  const started = startWorker();
  for await (const chunk of started.stdout) if (String(chunk).includes("is running jobs")) return started;
  throw new Error(`the worker has ended: ${started.stderr.read()}`);
}

/** Returns how many credentials are available; each of them has a sealed file, which is the only one of its own. */
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

/** Ends the leases of a killed worker, so that the next one need not wait for that. */
const endLeases = () =>
  place.academy.service.app.database
    .knex("jobs")
    .update({ leased_until: new Date() })
    .whereNotNull("leased_until");

test("workers that are killed at each step of sealing publish nothing that is not sealed", async () => {
  const { academy, authority, tsa } = place;
  const usernames = Array.from({ length: LEARNERS }, (_, index) => `learner${index}`);
  await academy.enrol(...usernames);
  const issue = (username: string) =>
    academy.credentials.issueCredential({ configurationId: academy.configurationId, username });

  // Each kill: with a signature, with a request for a timestamp, and at moments after a timestamp was given.
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
  await expect.poll(countSealed, { timeout: 120_000, interval: 500 }).toBe(LEARNERS);
  last.kill("SIGTERM");
  await once(last, "exit");
  await expectHealthy(academy.service);
});

function kill(pid: number | undefined): void {
  if (pid !== undefined) process.kill(pid, "SIGKILL");
}
