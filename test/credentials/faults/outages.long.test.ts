import { expect, onTestFinished, test } from "vitest";
import { startEmbeddedPostgres } from "#infrastructure/db/embedded/postgres.js";
import { startSmtpSink } from "../../email/smtp-sink.js";
import { startS3rver } from "../../files/s3/endpoints.js";
import { startFaultyProxy } from "../../files/s3/faulty-proxy.js";
import { newDirectory } from "../../support/directory.js";
import { freePort } from "../../support/free-port.js";
import { openAnswerLosingProxy } from "./answer-losing-proxy.js";
import { mountSmallDisk } from "./small-disk.js";
import {
  countEvents,
  emailsInFiles,
  expectNothingAmiss,
  openWorkforce,
  ownersOfFiles,
  until,
  type Workforce,
} from "./workforce.js";

const SIZE = 60;

async function openWorkforceOfTest(settings: Record<string, string>): Promise<Workforce> {
  const workforce = await openWorkforce(settings);
  onTestFinished(workforce.dismiss);
  return workforce;
}

/** Waits until a run has made some progress. */
async function begun({ academy }: Workforce, runId: string): Promise<void> {
  await until(async () => {
    const { availableCount } = await academy.credentials.getIssuanceRun({ id: runId });
    expect(availableCount).toBeGreaterThan(0);
  });
}

/** Waits until a job has failed. */
async function troubled({ rows }: Workforce): Promise<void> {
  await until(async () => {
    const failed = await rows("select from jobs where last_error is not null");
    expect(failed.length).toBeGreaterThan(0);
  });
}

/** Expects that each learner of a run has one credential, with one file, and each event once. */
async function expectComplete(workforce: Workforce, runId: string): Promise<void> {
  const { rows } = workforce;
  const credentials = await rows<{ uuid: string; status: string }>(
    "select uuid, status from credentials where run_id = ?::uuid",
    [runId],
  );
  expect(credentials.filter(({ status }) => status === "available")).toHaveLength(SIZE);
  expect(await ownersOfFiles(workforce)).toEqual(credentials.map(({ uuid }) => uuid).sort());
  expect(await countEvents(workforce)).toMatchObject({ available: SIZE, emailed: SIZE });
  await expectNothingAmiss(workforce);
}

test("the store is unreachable during a run: the run ends complete", async () => {
  const s3 = await startS3rver();
  onTestFinished(s3.stop);
  const proxy = await startFaultyProxy(s3.endpoint);
  const workforce = await openWorkforceOfTest(s3.settings);
  await workforce.startWorker({ S3_ENDPOINT: proxy.url });
  const runId = await workforce.startRun(SIZE);
  await begun(workforce, runId);
  await proxy.stop();
  await troubled(workforce);
  await proxy.start();
  onTestFinished(proxy.stop);
  expect(await workforce.ended(runId)).toMatchObject({ availableCount: SIZE, failures: [] });
  await expectComplete(workforce, runId);
});

test("Postgres restarts during a run: the run ends complete", async () => {
  const dataDir = newDirectory("restarted");
  const first = await startEmbeddedPostgres({ dataDir });
  const proxy = await openAnswerLosingProxy(first.url);
  onTestFinished(proxy.close);
  const workforce = await openWorkforce({ DATABASE_URL: proxy.url });
  const worker = await workforce.startWorker();
  const runId = await workforce.startRun(SIZE);
  await begun(workforce, runId);
  await first.stop();
  const second = await startEmbeddedPostgres({ dataDir });
  onTestFinished(second.stop);
  onTestFinished(workforce.dismiss);
  proxy.leadTo(second.url);
  expect(await workforce.ended(runId)).toMatchObject({ availableCount: SIZE, failures: [] });
  expect(worker.running.process.exitCode).toBeNull();
  await expectComplete(workforce, runId);
  expect(await emailsInFiles(workforce)).toHaveLength(SIZE);
});

test("the disk is full during a run: jobs wait for space, and the run ends complete", async (context) => {
  const { dataDir, grow } = await mountSmallDisk(context);
  const workforce = await openWorkforceOfTest({ DATA_DIR: dataDir });
  await workforce.startWorker();
  const runId = await workforce.startRun(SIZE);
  await troubled(workforce);
  await begun(workforce, runId); // a failed job may be recorded before those whose files were written with it
  const { availableCount, failures } = await workforce.academy.credentials.getIssuanceRun({ id: runId });
  expect(availableCount).toBeGreaterThan(0);
  expect(availableCount).toBeLessThan(SIZE);
  expect(failures).toEqual([]);
  grow();
  expect(await workforce.ended(runId)).toMatchObject({ availableCount: SIZE, failures: [] });
  await expectComplete(workforce, runId);
});

test("the email server refuses some emails permanently and some temporarily, and is unreachable: the run ends complete", async () => {
  const port = await freePort();
  const workforce = await openWorkforceOfTest({
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: "no-reply@academy.test",
  });
  await workforce.startWorker();
  const runId = await workforce.startRun(SIZE);
  await troubled(workforce);
  const sink = await startSmtpSink("none", undefined, port);
  const [forGood, forAWhile] = ["550 5.1.1 nobody here", "451 4.3.0 later"];
  sink.answers.rcptTo.push(forGood, forAWhile, forAWhile, forGood, forGood);
  sink.answers.data.push(forAWhile, undefined, forGood);
  expect(await workforce.ended(runId)).toMatchObject({ availableCount: SIZE, failures: [] });
  expect(new Set(sink.received.map(({ to }) => to.join())).size).toBe(SIZE - 4);
  expect(sink.received).toHaveLength(SIZE - 4);
  expect(await countEvents(workforce)).toMatchObject({ email_refused: 4, emailed: SIZE - 4 });
  await expectNothingAmiss(workforce);
});
