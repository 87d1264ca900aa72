import type { Client } from "@connectrpc/connect";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { CredentialStatus } from "../../gen/learning_credentials/v1/credential_pb.js";
import type { CredentialService } from "../../gen/learning_credentials/v1/credential_service_pb.js";
import { type SmtpSink, startSmtpSink } from "../mail/smtp-sink.js";
import { holdAt, type Step } from "./database-hold.js";
import { freePort } from "./free-port.js";
import {
  expectNothingAmiss,
  mailsAbout,
  newcomer,
  openWorkforce,
  type Server,
  until,
  type Worker,
  type Workforce,
} from "./workforce.js";

/** What becomes of what a killed process has asked of the database: it is broken off, or goes on without a client. */
type Fate = "breakOff" | "release";

const REASON = "Misspelt.";
const CREDENTIALS = "credentials";
const EVENTS = "unsealed_credential_events";
const JOBS = "graphile_worker._private_jobs";
const AT_COMMIT = "at commit, after update";

let workforce: Workforce;
let worker: Worker;
let server: Server;
let sink: SmtpSink;
let smtpPort: number;

beforeAll(async () => {
  workforce = await openWorkforce();
  smtpPort = await freePort();
  await hire();
  server = await workforce.serve();
});
afterAll(() => workforce?.dismiss());
beforeEach(async () => {
  sink = await startSmtpSink("none", undefined, smtpPort);
});

async function hire(): Promise<void> {
  const mail = { SMTP_URL: `smtp://127.0.0.1:${smtpPort}`, MAIL_FROM: "no-reply@academy.test" };
  worker = await workforce.hire(mail);
}

/** Kills the worker when `act` has brought it to the step, and has another one take its jobs. */
async function killWorkerAt(step: Step, fate: Fate, act: () => Promise<unknown>): Promise<void> {
  const hold = await holdAt(workforce.academy.service.app.database.url, step);
  await act();
  await hold.reached();
  await worker.kill();
  await hold[fate]();
  await replaceWorker();
}

async function replaceWorker(): Promise<void> {
  await workforce.forgetAbout(worker);
  await hire();
  await workforce.settled();
}

async function issue(): Promise<string> {
  const username = newcomer();
  await workforce.enrol(username);
  return (await workforce.issue(username)).uuid;
}

/** All that is left of a credential in force: one of it, with one file, one mail, and each event once. */
async function expectMade(uuid: string, { mails = 1 } = {}): Promise<void> {
  const { academy } = workforce;
  const { status, username } = await academy.credentials.getCredential({ uuid });
  expect(status).toBe(CredentialStatus.AVAILABLE);
  const { credentials } = await academy.credentials.listCredentials({ username });
  const inForce = credentials.filter((credential) => credential.status !== CredentialStatus.INVALIDATED);
  expect(inForce.map((credential) => credential.uuid)).toEqual([uuid]);
  expect(await academy.filesOf(uuid)).toHaveLength(1);
  expect(await workforce.events(uuid)).toEqual(["issued", "available", "emailed"]);
  expect(await mailsAbout(uuid, sink.received)).toEqual(Array(mails).fill(`<${uuid}@academy.test>`));
  await expectNothingAmiss(workforce);
}

describe("a worker that is killed while it generates", () => {
  test.each<[string, Fate, Step]>([
    ...bothFates("taking the job", {
      at: "before update",
      table: JOBS,
      when: "old.locked_by is null and new.locked_by is not null and new.payload->>'credentialId' is not null",
    }),
    ...bothFates("beginning the attempt", {
      at: "before update",
      table: CREDENTIALS,
      when: "new.attempt > old.attempt",
    }),
    [
      "setting it available, its file being stored",
      "breakOff",
      { at: "before update", table: CREDENTIALS, when: "new.status = 'available'" },
    ],
    ["keeping the event", "breakOff", { at: "before insert", table: EVENTS, when: "new.type = 'available'" }],
    [
      "enqueueing the mail",
      "breakOff",
      { at: "before insert", table: JOBS, when: "new.payload->>'credentialUuid' is not null" },
    ],
    ...bothFates("committing", {
      at: AT_COMMIT,
      table: CREDENTIALS,
      when: "old.status = 'generating' and new.status = 'available'",
    }),
    ...bothFates("taking the job off the queue", {
      at: "before delete",
      table: JOBS,
      when: "old.payload->>'credentialId' is not null",
    }),
  ])("%s, %s", async (_, fate, step) => {
    let uuid = "";
    await killWorkerAt(step, fate, async () => {
      uuid = await issue();
    });
    await expectMade(uuid);
  });
});

describe("a worker that is killed while it mails", () => {
  test.each<[string, Fate, number, Step]>([
    [
      "noting that the mail went out",
      "breakOff",
      2,
      {
        at: "before update",
        table: CREDENTIALS,
        when: "old.emailed_at is null and new.emailed_at is not null",
      },
    ],
    [
      "keeping the event",
      "breakOff",
      2,
      { at: "before insert", table: EVENTS, when: "new.type = 'emailed'" },
    ],
    [
      "committing",
      "breakOff",
      2,
      { at: AT_COMMIT, table: CREDENTIALS, when: "old.emailed_at is null and new.emailed_at is not null" },
    ],
    [
      "committing",
      "release",
      1,
      { at: AT_COMMIT, table: CREDENTIALS, when: "old.emailed_at is null and new.emailed_at is not null" },
    ],
    [
      "taking the job off the queue",
      "breakOff",
      1,
      { at: "before delete", table: JOBS, when: "old.payload->>'credentialUuid' is not null" },
    ],
  ])("%s, %s: %d mails with one Message-ID", async (_, fate, mails, step) => {
    let uuid = "";
    await killWorkerAt(step, fate, async () => {
      uuid = await issue();
    });
    await expectMade(uuid, { mails });
  });

  test("waiting for the answer of the mail server: 2 mails with one Message-ID", async () => {
    sink.answers.data.push("hang");
    const uuid = await issue();
    await until(() => expect(sink.received).toHaveLength(1));
    await worker.kill();
    await replaceWorker();
    await expectMade(uuid, { mails: 2 });
  });
});

describe("a worker that is killed while it puts the file of an invalidated credential away", () => {
  test.each<[string, Fate, Step]>([
    ...bothFates("deciding where it goes", {
      at: "before update",
      table: CREDENTIALS,
      when: "old.invalidated_file_key is null and new.invalidated_file_key is not null",
    }),
    ...bothFates("noting that it is there", {
      at: "before update",
      table: CREDENTIALS,
      when: "old.file_key <> new.file_key",
    }),
    ...bothFates("taking the job off the queue", {
      at: "before delete",
      table: JOBS,
      when: "old.payload->>'credentialUuid' is not null",
    }),
  ])("%s, %s", async (_, fate, step) => {
    const { academy } = workforce;
    const uuid = await issue();
    await workforce.settled();
    await killWorkerAt(step, fate, () => academy.credentials.invalidateCredential({ uuid, reason: REASON }));
    expect(await academy.filesOf(uuid)).toEqual([]);
    expect(await academy.filesOf(uuid, "_invalidated")).toHaveLength(1);
    expect(await workforce.events(uuid)).toEqual(["issued", "available", "emailed", "invalidated"]);
    expect(await mailsAbout(uuid, sink.received)).toHaveLength(1);
    await expectNothingAmiss(workforce);
  });
});

describe("a service that is killed", () => {
  type Credentials = Client<typeof CredentialService>;

  /** Kills the service while it answers a call, which is then made again at another one. */
  async function killServiceAt<T>(
    step: Step,
    fate: Fate,
    call: (credentials: Credentials) => Promise<T>,
  ): Promise<T> {
    const hold = await holdAt(workforce.academy.service.app.database.url, step);
    const answer = call(server.credentials).then(
      () => "answered",
      () => "failed",
    );
    await hold.reached();
    await server.kill();
    await hold[fate]();
    expect(await answer).toBe("failed");
    server = await workforce.serve();
    const answered = await call(server.credentials);
    await workforce.settled();
    return answered;
  }

  const insertsCredential: Step = { at: "before insert", table: CREDENTIALS, when: "true" };
  const insertsJob = { at: "before insert", table: JOBS };
  const commitsCredential: Step = { at: "at commit, after insert", table: CREDENTIALS, when: "true" };
  const invalidates = "old.status = 'available' and new.status = 'invalidated'";
  const forMove = "new.payload->>'credentialUuid' is not null";

  test.each<[string, Fate, Step]>([
    ["inserting it", "breakOff", insertsCredential],
    ["keeping the event", "breakOff", { at: "before insert", table: EVENTS, when: "new.type = 'issued'" }],
    ["enqueueing the job", "breakOff", { ...insertsJob, when: "true" }],
    ...bothFates("committing", commitsCredential),
  ])("while it issues a credential, %s, %s", async (_, fate, step) => {
    const username = newcomer();
    await workforce.enrol(username);
    const { configurationId } = workforce.academy;
    const { uuid } = await killServiceAt(step, fate, (credentials) =>
      credentials.issueCredential({ configurationId, username }),
    );
    await expectMade(uuid);
  });

  test.each<[string, Fate, Step]>([
    ["setting it so", "breakOff", { at: "before update", table: CREDENTIALS, when: invalidates }],
    ["enqueueing the move", "breakOff", { ...insertsJob, when: forMove }],
    ...bothFates("committing", { at: AT_COMMIT, table: CREDENTIALS, when: invalidates }),
  ])("while it invalidates one, %s, %s", async (_, fate, step) => {
    const uuid = await issue();
    await workforce.settled();
    await killServiceAt(step, fate, (credentials) =>
      credentials.invalidateCredential({ uuid, reason: REASON }),
    );
    expect(await workforce.academy.filesOf(uuid)).toEqual([]);
    expect(await workforce.academy.filesOf(uuid, "_invalidated")).toHaveLength(1);
    expect(await workforce.events(uuid)).toEqual(["issued", "available", "emailed", "invalidated"]);
    await expectNothingAmiss(workforce);
  });

  test.each<[string, Fate, Step]>([
    ["invalidating the old one", "breakOff", { at: "before update", table: CREDENTIALS, when: invalidates }],
    ["inserting the new one", "breakOff", insertsCredential],
    ["enqueueing its job", "breakOff", { ...insertsJob, when: "new.payload->>'credentialId' is not null" }],
    [
      "keeping the last event",
      "breakOff",
      { at: "before insert", table: EVENTS, when: "new.type = 'reissued'" },
    ],
    ...bothFates("committing", commitsCredential),
  ])("while it reissues one, %s, %s", async (_, fate, step) => {
    const old = await issue();
    await workforce.settled();
    const { uuid, replacesUuid } = await killServiceAt(step, fate, (credentials) =>
      credentials.reissueCredential({ uuid: old, reason: REASON }),
    );
    expect(replacesUuid).toBe(old);
    await expectMade(uuid);
    expect(await workforce.events(old)).toEqual([
      "issued",
      "available",
      "emailed",
      "invalidated",
      "reissued",
    ]);
    expect(await workforce.academy.filesOf(old)).toEqual([]);
  });
});

test("doctor finds nothing wrong after all that", async () => {
  expect(await workforce.run("doctor")).toMatchObject({ exitCode: 0 });
});

function bothFates(name: string, step: Step): [string, Fate, Step][] {
  return [
    [name, "breakOff", step],
    [name, "release", step],
  ];
}
