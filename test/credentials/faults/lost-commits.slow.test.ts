import { Code, ConnectError } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import { type AnswerLosingProxy, openAnswerLosingProxy } from "./answer-losing-proxy.js";
import {
  emailsInFiles,
  expectNothingAmiss,
  newcomer,
  openWorkforce,
  type Server,
  type Worker,
  type Workforce,
} from "./workforce.js";

const REASON = "Misspelt.";

let workforce: Workforce;
/** Proxies between the database and the worker, and between the database and the service. */
let workerProxy: AnswerLosingProxy;
let serverProxy: AnswerLosingProxy;
let worker: Worker;
let server: Server;
beforeAll(async () => {
  workforce = await openWorkforce();
  const { url } = workforce.academy.service.app.database;
  workerProxy = await openAnswerLosingProxy(url);
  serverProxy = await openAnswerLosingProxy(url);
  [worker, server] = await Promise.all([
    workforce.startWorker({ DATABASE_URL: workerProxy.url }),
    workforce.serve({ DATABASE_URL: serverProxy.url }),
  ]);
});
afterAll(async () => {
  workerProxy?.close();
  serverProxy?.close();
  await workforce?.dismiss();
});

async function issue(): Promise<string> {
  const username = newcomer();
  await workforce.enrol(username);
  return (await workforce.issue(username)).uuid;
}

async function expectMade(uuid: string): Promise<void> {
  const { academy } = workforce;
  expect((await academy.credentials.getCredential({ uuid })).status).toBe(CredentialStatus.AVAILABLE);
  expect(await academy.filesOf(uuid)).toHaveLength(1);
  expect(await workforce.events(uuid)).toEqual(["issued", "available", "emailed"]);
  await expectNothingAmiss(workforce);
}

describe("a worker that gets no response to its commit", () => {
  // Each of these statements is a transaction of its own, so it is committed when its response is sent. Once a
  // statement is prepared, the client sends only its name, by which the proxy recognises it.
  test.each([
    ["of an available credential", "publish_files_"],
    ["of a mail that went out", "record_answers_"],
  ])("%s does nothing twice", async (_, statement) => {
    const lost = workerProxy.loseAnswerTo(statement);
    const uuid = await issue();
    await lost;
    await workforce.settled();
    await expectMade(uuid);
  });
});

test("a worker continues if the response to recording the end of a job is lost", async () => {
  for (const _ of ["generating", "mailing"]) {
    const lost = workerProxy.loseAnswerTo("delete from jobs using");
    const uuid = await issue();
    await lost;
    await workforce.settled();
    await expectMade(uuid);
  }
  expect(worker.running.process.exitCode).toBeNull();
});

describe("a service that gets no response to its commit: the call fails, and repeating it", () => {
  /** Makes a call whose commit succeeds without a response to the caller. */
  async function lose<T>(
    sql: string,
    call: (credentials: Workforce["academy"]["credentials"]) => Promise<T>,
  ): Promise<() => Promise<T>> {
    const lost = serverProxy.loseCommitAfter(sql);
    const failure = await call(server.credentials).then(
      () => undefined,
      (error) => ConnectError.from(error),
    );
    await lost;
    expect(failure?.code).toBe(Code.Unavailable);
    return () => call(server.credentials);
  }

  test("issues one credential", async () => {
    const username = newcomer();
    await workforce.enrol(username);
    const { configurationId } = workforce.academy;
    const again = await lose("insert into credentials", (credentials) =>
      credentials.issueCredential({ configurationId, username }),
    );
    const { uuid } = await again();
    const { credentials } = await workforce.academy.credentials.listCredentials({ username });
    expect(credentials).toHaveLength(1);
    await workforce.settled();
    await expectMade(uuid);
  });

  test("invalidates once, and reissues once", async () => {
    const old = await issue();
    const misprint = await issue();
    await workforce.settled();
    const invalidateAgain = await lose("status = 'invalidated', invalidation_reason", (credentials) =>
      credentials.invalidateCredential({ uuid: misprint, reason: REASON }),
    );
    expect((await invalidateAgain()).status).toBe(CredentialStatus.INVALIDATED);
    const reissueAgain = await lose("insert into credentials", (credentials) =>
      credentials.reissueCredential({ uuid: old, reason: REASON }),
    );
    const { uuid, replacesUuid } = await reissueAgain();
    expect(replacesUuid).toBe(old);
    await workforce.settled();
    await expectMade(uuid);
    expect(await workforce.events(old)).toEqual([
      "issued",
      "available",
      "emailed",
      "invalidated",
      "reissued",
    ]);
    expect(await workforce.events(misprint)).toEqual(["issued", "available", "emailed", "invalidated"]);
    for (const each of [old, misprint]) {
      expect(await workforce.academy.filesOf(each)).toEqual([]);
      expect(await workforce.academy.filesOf(each, "_invalidated")).toHaveLength(1);
    }
  });

  test("refuses a run with the hash of its plan, because it was started", async () => {
    const { credentials, configurationId } = workforce.academy;
    await workforce.enrol(...Array.from({ length: 20 }, newcomer));
    const { plan } = await credentials.startIssuanceRun({ configurationId, dryRun: true });
    const { issueCount = 0, planHash = "" } = plan ?? {};
    expect(issueCount).toBeGreaterThanOrEqual(20);
    const again = await lose("insert into issuance_runs", (behind) =>
      behind.startIssuanceRun({ configurationId, planHash }),
    );
    expect(ConnectError.from(await again().catch((error) => error)).code).toBe(Code.Aborted);
    const { runs } = await credentials.listIssuanceRuns({ configurationId });
    expect(runs).toMatchObject([{ issuedCount: issueCount }]);
    const run = await workforce.ended(runs[0]?.id ?? "");
    expect(run).toMatchObject({ availableCount: issueCount, failedCount: 0 });
    await expectNothingAmiss(workforce);
  });
});

test("every email was sent once, and doctor finds no faults", async () => {
  const expected = await workforce.rows<{ name: string }>(
    `select credential_uuid::text as name from credential_mails where kind = 'available' and sent_at is not null
     union all
     select uuid || '-withdrawn' from credentials withdrawn where status = 'invalidated'
       and not exists (select from credentials where replaces = withdrawn.uuid)`,
  );
  await workforce.settled();
  expect((await emailsInFiles(workforce)).sort()).toEqual(expected.map(({ name }) => name).sort());
  expect(await workforce.run("doctor")).toMatchObject({ exitCode: 0 });
});
