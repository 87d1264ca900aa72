import { setTimeout as sleep } from "node:timers/promises";
import { type ExpectStatic, type TestContext, test } from "vitest";
import { type Credential, CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import { IssuanceRunState } from "#gen/learning_credentials/v1/issuance_run_pb.js";
import { startS3rver } from "../../files/s3/endpoints.js";
import { startFaultyProxy } from "../../files/s3/faulty-proxy.js";
import { mountSmallDisk } from "./small-disk.js";
import {
  countEvents,
  expectNothingAmiss,
  openWorkforce,
  ownersOfFiles,
  until,
  type Workforce,
} from "./workforce.js";

const SIZE = 300;
/** All attempts of a job together take 85 s. This outage lasts longer. */
const OUTAGE_S = Number(process.env.OUTAGE_SECONDS ?? 100);
const PATIENCE_MS = 300_000;
const TEST_MS = OUTAGE_S * 1000 + PATIENCE_MS + 60_000;

async function openWorkforceOfTest(
  { onTestFinished }: TestContext,
  settings: Record<string, string>,
): Promise<Workforce> {
  const workforce = await openWorkforce(settings);
  onTestFinished(workforce.dismiss);
  return workforce;
}

/** Returns the status that `/readyz` reports. */
async function readiness(httpUrl: string): Promise<string> {
  const answer = await fetch(`${httpUrl}/readyz`);
  const { status } = (await answer.json()) as { status: string };
  return status;
}

/** Returns the HTTP status of public verification. */
async function verification(httpUrl: string, { verifyUuid }: Credential): Promise<number> {
  return (await fetch(`${httpUrl}/api/learning_credentials/v1/metadata/${verifyUuid}/`)).status;
}

/**
 * Exposes a run to an outage. During the outage, nothing fails, few documents are generated in vain, and a newly
 * started service verifies credentials. Afterwards, everything is generated without intervention.
 */
async function expectRunToOutlast(
  { expect }: { expect: ExpectStatic },
  workforce: Workforce,
  worker: { stderr(): string },
  outage: { begin(): Promise<void> | void; end(): Promise<void> | void },
): Promise<void> {
  const { academy, rows } = workforce;
  const { httpUrl } = academy.service;
  const runId = await workforce.startRun(SIZE);
  const run = () => academy.credentials.getIssuanceRun({ id: runId });
  await until(async () => expect((await run()).availableCount).toBeGreaterThan(0));
  await outage.begin();
  const begun = performance.now();
  await until(() => expect(worker.stderr()).toContain("jobs paused: a dependency is unavailable"));
  await until(async () => expect(await readiness(httpUrl)).toBe("degraded"));

  const server = await workforce.serve();
  const [issued] = (
    await server.credentials.listCredentials({ status: CredentialStatus.AVAILABLE, pageSize: 1 })
  ).credentials;
  expect(await verification(server.httpUrl, issued as Credential)).toBe(200);
  expect(await readiness(server.httpUrl)).toBe("degraded");
  await server.kill();

  while (performance.now() - begun < OUTAGE_S * 1000) {
    expect(await verification(httpUrl, issued as Credential)).toBe(200);
    await sleep(1_000);
  }
  const { failures, availableCount, generatingCount } = await run();
  expect({ failures, left: generatingCount }).toEqual({ failures: [], left: SIZE - availableCount });
  const [made] = await rows<{ attempts: number }>(
    "select sum(attempt)::int as attempts from credentials where status = 'generating'",
  );
  // One attempt for each job at the start of the outage, and a few after each successful probe, of which there is at
  // most one every half minute.
  expect(made?.attempts).toBeLessThanOrEqual(8 + 8 * (OUTAGE_S / 15));

  await outage.end();
  const ended = performance.now();
  await expect
    .poll(async () => (await run()).state, { timeout: PATIENCE_MS, interval: 500 })
    .toBe(IssuanceRunState.COMPLETE);
  console.info(
    `${availableCount} of ${SIZE} made before, all ${Math.round((performance.now() - ended) / 1000)} s after`,
  );
  expect(await run()).toMatchObject({ availableCount: SIZE, failures: [] });
  await expect.poll(() => rows("select from jobs"), { timeout: PATIENCE_MS, interval: 500 }).toEqual([]);
  const uuids = await rows<{ uuid: string }>("select uuid from credentials where status = 'available'");
  expect(await ownersOfFiles(workforce)).toEqual(uuids.map(({ uuid }) => uuid).sort());
  expect(await countEvents(workforce)).toMatchObject({ available: SIZE, emailed: SIZE });
  await expect.poll(() => readiness(httpUrl)).toBe("ready");
  await expectNothingAmiss(workforce);
}

test.concurrent("a long outage of the store during a run", { timeout: TEST_MS }, async (context) => {
  const s3 = await startS3rver();
  context.onTestFinished(s3.stop);
  const proxy = await startFaultyProxy(s3.endpoint);
  context.onTestFinished(proxy.stop);
  const workforce = await openWorkforceOfTest(context, {
    ...s3.settings,
    S3_ENDPOINT: proxy.url,
  });
  const worker = await workforce.startWorker();
  await expectRunToOutlast(context, workforce, worker.running, { begin: proxy.stop, end: proxy.start });
});

test.concurrent("a disk that stays full for long during a run", { timeout: TEST_MS }, async (context) => {
  const { dataDir, grow } = await mountSmallDisk(context);
  const workforce = await openWorkforceOfTest(context, { DATA_DIR: dataDir });
  const worker = await workforce.startWorker();
  await expectRunToOutlast(context, workforce, worker.running, { begin() {}, end: grow });
});
