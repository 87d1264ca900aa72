import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import { type S3Endpoint, startS3rver } from "../../files/s3/endpoints.js";
import { type Fault, type FaultyProxy, faults, startFaultyProxy } from "../../files/s3/faulty-proxy.js";
import { holdAt } from "./database-hold.js";
import { holdRequest } from "./held-request.js";
import {
  expectNothingAmiss,
  newcomer,
  openWorkforce,
  until,
  type Worker,
  type Workforce,
} from "./workforce.js";

const REASON = "Misspelt.";

let s3: S3Endpoint;
let workforce: Workforce;
beforeAll(async () => {
  s3 = await startS3rver();
  workforce = await openWorkforce(s3.settings);
});
afterAll(async () => {
  await workforce?.dismiss();
  await s3?.stop();
});

/** Starts a worker that reaches the store through its own proxy. */
async function startWorkerBehindProxy(): Promise<{ worker: Worker; proxy: FaultyProxy }> {
  const proxy = await startFaultyProxy(s3.endpoint);
  const worker = await workforce.startWorker({ S3_ENDPOINT: proxy.url });
  onTestFinished(async () => {
    await worker.kill();
    await proxy.stop();
  });
  proxy.requests.length = 0;
  return { worker, proxy };
}

/** Starts another worker, which finishes what the first worker left unfinished. */
async function replace(): Promise<void> {
  await workforce.endLeases();
  const other = await workforce.startWorker();
  await workforce.settled();
  await other.kill();
}

const issue = () => issueTo(newcomer());

async function issueTo(username: string): Promise<string> {
  await workforce.enrol(username);
  return (await workforce.issue(username)).uuid;
}

async function filesOf(uuid: string, where = ""): Promise<string[]> {
  const { files, config } = workforce.academy.service.app;
  const keys: string[] = [];
  for await (const { key } of files.list(`${config.outputDir}${where}/${uuid}/`)) keys.push(key);
  return keys;
}

async function expectMade(uuid: string): Promise<void> {
  const { academy, rows } = workforce;
  const { status } = await academy.credentials.getCredential({ uuid });
  expect(status).toBe(CredentialStatus.AVAILABLE);
  const [made] = await rows<{ key: string }>("select file_key as key from credentials where uuid = ?::uuid", [
    uuid,
  ]);
  expect(await filesOf(uuid)).toEqual([made?.key]);
  expect(await workforce.events(uuid)).toEqual(["issued", "available", "emailed"]);
}

function requestsAbout({ requests }: FaultyProxy, uuid: string): FaultyProxy["requests"] {
  return requests.filter(({ path }) => path.includes(uuid));
}

const methodsOf = (requests: FaultyProxy["requests"]) => requests.map(({ method }) => method);

describe("a worker that is killed", () => {
  test("while it uploads one file, and after another was stored but not acknowledged, is replaced, and each file is made once", async () => {
    const { worker, proxy } = await startWorkerBehindProxy();
    const puts = [holdRequest(false), holdRequest(true)];
    proxy.failNext(...puts.map(({ fault }) => fault));
    const uuids = await Promise.all(puts.map(issue));
    await Promise.all(puts.map(({ held }) => held));
    await worker.kill();
    for (const uuid of uuids) expect(methodsOf(requestsAbout(proxy, uuid))).toEqual(["PUT"]);
    await replace();
    for (const uuid of uuids) await expectMade(uuid);
    await expectNothingAmiss(workforce);
  });

  test("after it has read, copied, compared or deleted the file of an invalidated credential, is replaced, and each move is completed", async () => {
    const { worker, proxy } = await startWorkerBehindProxy();
    const steps = ["GET", "PUT", "GET", "DELETE"];
    const moves = await Promise.all(
      steps.map(async () => ({ uuid: await issue(), request: holdRequest(true) })),
    );
    await workforce.settled();
    proxy.requests.length = 0;
    const holdAtStep: Fault = (exchange) => {
      const step = moves.findIndex(({ uuid }) => exchange.path.includes(uuid));
      const { uuid = "", request } = moves[step] ?? {};
      const isReached = requestsAbout(proxy, uuid).length > step;
      return (isReached && request ? request.fault : faults.passOn)(exchange);
    };
    proxy.failNext(...Array<Fault>(1 + 2 + 3 + 4).fill(holdAtStep));
    const { credentials } = workforce.academy;
    await Promise.all(moves.map(({ uuid }) => credentials.invalidateCredential({ uuid, reason: REASON })));
    await Promise.all(moves.map(({ request }) => request.held));
    await worker.kill();
    for (const [step, { uuid }] of moves.entries()) {
      expect(methodsOf(requestsAbout(proxy, uuid))).toEqual(steps.slice(0, step + 1));
    }
    await replace();
    for (const { uuid } of moves) {
      expect(await filesOf(uuid)).toEqual([]);
      expect(await filesOf(uuid, "_invalidated")).toHaveLength(1);
      expect(await workforce.events(uuid)).toEqual(["issued", "available", "emailed", "invalidated"]);
    }
    await expectNothingAmiss(workforce);
  });
});

test("a worker that is paused before it generates one file and after it has uploaded another finds its work done when it resumes", async () => {
  const { worker, proxy } = await startWorkerBehindProxy();
  const [unmade, put] = [newcomer(), holdRequest(true)];
  const hold = await holdAt(workforce.academy.service.app.database.url, unmade, {
    at: "before update",
    table: "jobs",
    when: "old.leased_until is null and new.leased_until is not null and new.payload->>'credentialId' is not null",
  });
  proxy.failNext(put.fault);
  const { credentials } = workforce.academy;
  const stored = await issue();
  await put.held;
  // `unmade` is issued last. The statement that takes its job is held, and it would also take other new jobs.
  const uuids = [await issueTo(unmade), stored];
  await hold.reached();
  worker.running.process.kill("SIGSTOP");
  await hold.release();
  put.answer();

  await replace();
  for (const uuid of uuids) await expectMade(uuid);
  const look = () => Promise.all(uuids.map((uuid) => credentials.getCredential({ uuid })));
  const before = await look();
  worker.running.process.kill("SIGCONT");
  const [ofUnmade, ofPut] = uuids.map((uuid) => () => requestsAbout(proxy, uuid));
  // If the upload was paused for longer than the store allows, it has failed. The worker then repeats it, or gives up
  // and deletes or reads what it may have stored.
  const ends = /^PUT (?:PUT )?(?:DELETE|GET)$/;
  await until(() => expect(methodsOf(ofPut?.() ?? []).join(" ")).toMatch(ends));
  await worker.running.end("SIGTERM"); // after it has finished its current work
  // The worker finds that the document was generated, and checks for files that others may have left. If the worker was
  // held for longer than its lock timeout, as on a busy machine, it has not even taken the job.
  expect([[], ["GET"]]).toContainEqual(methodsOf(ofUnmade?.() ?? []));
  for (const requests of [ofUnmade, ofPut]) {
    const changes = requests?.().filter(({ method }) => method !== "GET");
    expect(new Set(changes?.map(({ path }) => path)).size).toBeLessThanOrEqual(1);
  }
  await workforce.settled();
  for (const uuid of uuids) await expectMade(uuid);
  await expectNothingAmiss(workforce);
  expect(await look()).toEqual(before);
});

test("if responses of the store are lost, there is one file, and after its move one file at the new place", async () => {
  const { proxy } = await startWorkerBehindProxy();
  proxy.failNext(faults.loseAnswer);
  const uuid = await issue();
  await workforce.settled();
  await expectMade(uuid);
  // The email may contain a picture of the document, for which the document is read.
  expect(methodsOf(proxy.requests).join(" ")).toMatch(/^PUT PUT(?: GET)?$/);
  expect(new Set(proxy.requests.map(({ path }) => path)).size).toBe(1);

  proxy.failNext(...Array(4).fill([faults.loseAnswer, faults.passOn]).flat());
  await workforce.academy.credentials.invalidateCredential({ uuid, reason: REASON });
  await workforce.settled();
  expect(await filesOf(uuid)).toEqual([]);
  expect(await filesOf(uuid, "_invalidated")).toHaveLength(1);
  await expectNothingAmiss(workforce);
});

test("doctor finds no faults afterwards", async () => {
  expect(await workforce.run("doctor")).toMatchObject({ exitCode: 0 });
});
