import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { CredentialStatus } from "../../gen/learning_credentials/v1/credential_pb.js";
import { type FaultyProxy, faults, startFaultyProxy } from "../files/faulty-proxy.js";
import { type S3Endpoint, startS3rver } from "../files/s3-endpoints.js";
import { holdAt } from "./database-hold.js";
import { holdRequest } from "./held-request.js";
import { expectNothingAmiss, newcomer, openWorkforce, type Worker, type Workforce } from "./workforce.js";

const REASON = "Misspelt.";

let s3: S3Endpoint;
let workforce: Workforce;
beforeAll(async () => {
  s3 = await startS3rver();
  workforce = await openWorkforce({
    S3_ENDPOINT: s3.endpoint,
    S3_BUCKET: "credentials",
    S3_ACCESS_KEY: s3.accessKey,
    S3_SECRET_KEY: s3.secretKey,
  });
});
afterAll(async () => {
  await workforce?.dismiss();
  await s3?.stop();
});

/** A worker whose way to the store leads through a proxy of its own. */
async function hireBehindProxy(): Promise<{ worker: Worker; proxy: FaultyProxy }> {
  const proxy = await startFaultyProxy(s3.endpoint);
  const worker = await workforce.hire({ S3_ENDPOINT: proxy.url });
  onTestFinished(async () => {
    await worker.kill();
    await proxy.stop();
  });
  proxy.requests.length = 0;
  return { worker, proxy };
}

/** Has another worker do what was left undone. */
async function replace(worker: Worker): Promise<void> {
  await workforce.forgetAbout(worker);
  const other = await workforce.hire();
  await workforce.settled();
  await other.kill();
}

async function issue(): Promise<string> {
  const username = newcomer();
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
  await expectNothingAmiss(workforce);
}

describe("a worker that is killed", () => {
  test.each([
    ["while it uploads the file", false],
    ["when the file has arrived, and nobody has said so", true],
  ])("%s", async (_, isDone) => {
    const { worker, proxy } = await hireBehindProxy();
    const put = holdRequest(isDone);
    proxy.failNext(put.fault);
    const uuid = await issue();
    await put.held;
    await worker.kill();
    expect(proxy.requests).toMatchObject([{ method: "PUT" }]);
    await replace(worker);
    await expectMade(uuid);
  });

  test.each([
    ["read", 0],
    ["copied", 1],
    ["compared", 2],
    ["deleted where it was", 3],
  ])("when the file of an invalidated credential was %s", async (_, step) => {
    const { worker, proxy } = await hireBehindProxy();
    const uuid = await issue();
    await workforce.settled();
    const request = holdRequest(true);
    proxy.requests.length = 0;
    proxy.failNext(...Array(step).fill(faults.passOn), request.fault);
    await workforce.academy.credentials.invalidateCredential({ uuid, reason: REASON });
    await request.held;
    await worker.kill();
    expect(proxy.requests.map(({ method }) => method)).toEqual(
      ["GET", "PUT", "GET", "DELETE"].slice(0, step + 1),
    );
    await replace(worker);
    expect(await filesOf(uuid)).toEqual([]);
    expect(await filesOf(uuid, "_invalidated")).toHaveLength(1);
    expect(await workforce.events(uuid)).toEqual(["issued", "available", "emailed", "invalidated"]);
    await expectNothingAmiss(workforce);
  });
});

describe("a worker that is paused until another has done its work, and wakes up", () => {
  /** Lets another worker take over from the one that is paused, and that one go on. */
  async function overtake(uuid: string, { worker, proxy }: Awaited<ReturnType<typeof hireBehindProxy>>) {
    await replace(worker);
    await expectMade(uuid);
    const before = await workforce.academy.credentials.getCredential({ uuid });
    worker.running.process.kill("SIGCONT");
    await expect
      .poll(() => proxy.requests.map(({ method }) => method), { timeout: 60_000 })
      .toEqual(["PUT", "DELETE"]);
    const [put, deletion] = proxy.requests;
    expect(put?.path).toBe(deletion?.path);
    await workforce.settled();
    await expectMade(uuid);
    expect(await workforce.academy.credentials.getCredential({ uuid })).toEqual(before);
  }

  test("before it has made the file", async () => {
    const hold = await holdAt(workforce.academy.service.app.database.url, {
      at: "before update",
      table: "credentials",
      when: "new.attempt > old.attempt",
    });
    const hired = await hireBehindProxy();
    const uuid = await issue();
    await hold.reached();
    hired.worker.running.process.kill("SIGSTOP");
    await hold.release();
    await overtake(uuid, hired);
  });

  test("when it has uploaded the file", async () => {
    const hired = await hireBehindProxy();
    const put = holdRequest(true);
    hired.proxy.failNext(put.fault);
    const uuid = await issue();
    await put.held;
    hired.worker.running.process.kill("SIGSTOP");
    put.answer();
    await overtake(uuid, hired);
  });
});

describe("answers of the store that are lost", () => {
  test("to an upload: one file", async () => {
    const { proxy } = await hireBehindProxy();
    proxy.failNext(faults.loseAnswer);
    const uuid = await issue();
    await workforce.settled();
    await expectMade(uuid);
    expect(proxy.requests).toMatchObject([{ method: "PUT" }, { method: "PUT" }]);
    expect(new Set(proxy.requests.map(({ path }) => path)).size).toBe(1);
  });

  test("to all steps of putting a file away: it is away, once", async () => {
    const { proxy } = await hireBehindProxy();
    const uuid = await issue();
    await workforce.settled();
    proxy.failNext(...Array(4).fill([faults.loseAnswer, faults.passOn]).flat());
    await workforce.academy.credentials.invalidateCredential({ uuid, reason: REASON });
    await workforce.settled();
    expect(await filesOf(uuid)).toEqual([]);
    expect(await filesOf(uuid, "_invalidated")).toHaveLength(1);
    await expectNothingAmiss(workforce);
  });
});

test("doctor finds nothing wrong after all that", async () => {
  expect(await workforce.run("doctor")).toMatchObject({ exitCode: 0 });
});
