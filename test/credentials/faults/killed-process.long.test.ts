import type { Client } from "@connectrpc/connect";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import type { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { type SmtpSink, startSmtpSink } from "../../email/smtp-sink.js";
import { freePort } from "../../support/free-port.js";
import { holdAt, type Step } from "./database-hold.js";
import {
  emailsAbout,
  expectNothingAmiss,
  newcomer,
  openWorkforce,
  type Server,
  until,
  type Worker,
  type Workforce,
} from "./workforce.js";

/** What happens to the transaction of the killed process: its session is ended, or it continues without a client. */
type Fate = "breakOff" | "release";

/** When a process is killed: the step that it has reached for a credential. */
interface Moment {
  readonly name: string;
  readonly fate: Fate;
  readonly step: Step;
}

const REASON = "Misspelt.";
const CREDENTIALS = "credentials";
const EVENTS = "unsealed_credential_events";
const JOBS = "jobs";
const EMAILS = "credential_mails";
const AT_COMMIT = "at commit, after update";
/**
 * Number of concurrent jobs of a worker, on any machine. A worker can be held at this number of steps at once, with a
 * different credential at each.
 */
const JOBS_AT_A_TIME = 4;

let workforce: Workforce;
let worker: Worker;
let server: Server;
let sink: SmtpSink;
let smtpPort: number;

beforeAll(async () => {
  workforce = await openWorkforce();
  smtpPort = await freePort();
  [server] = await Promise.all([workforce.serve(), startWorker()]);
});
afterAll(() => workforce?.dismiss());
beforeEach(async () => {
  sink = await startSmtpSink("none", undefined, smtpPort);
});

async function startWorker(): Promise<void> {
  const email = { SMTP_URL: `smtp://127.0.0.1:${smtpPort}`, MAIL_FROM: "no-reply@academy.test" };
  worker = await workforce.startWorker(email);
}

interface Learner {
  readonly username: string;
}

interface Holder extends Learner {
  readonly uuid: string;
}

const newcomers = (moments: readonly Moment[]): Learner[] => moments.map(() => ({ username: newcomer() }));

async function issue({ username }: Learner): Promise<Holder> {
  await workforce.enrol(username);
  return { username, uuid: (await workforce.issue(username)).uuid };
}

/** Creates as many learners as there are moments. Their credentials are available and emailed. */
async function holders(moments: readonly Moment[]): Promise<Holder[]> {
  const issued = await Promise.all(newcomers(moments).map(issue));
  await workforce.settled();
  return issued;
}

/**
 * Starts `act` for each learner, and holds each learner's transaction at a different moment. Each `act` starts only
 * when the previous transaction is held; otherwise, two learners could share a transaction. When all transactions are
 * held, kills the process, and then ends or releases each transaction, depending on its fate.
 */
async function killAt<L extends Learner, T>(
  process: Pick<Worker, "kill">,
  moments: readonly Moment[],
  learners: readonly L[],
  act: (learner: L) => Promise<T>,
): Promise<PromiseSettledResult<T>[]> {
  const url = workforce.academy.service.app.database.url;
  const holds = await Promise.all(
    moments.map(async ({ step, fate }, index) => {
      const hold = await holdAt(url, learners[index]?.username ?? "", step);
      return { reached: hold.reached, end: hold[fate] };
    }),
  );
  const acts: Promise<PromiseSettledResult<T>[]>[] = [];
  for (const [index, learner] of learners.entries()) {
    acts.push(Promise.allSettled([act(learner)]));
    await holds[index]?.reached();
  }
  await process.kill();
  await Promise.all(holds.map(({ end }) => end()));
  return (await Promise.all(acts)).flat();
}

/**
 * Like `killAt`, kills the worker when a different learner's credential has reached each of the moments. Expects that
 * all calls of `act` succeed, and replaces the worker.
 */
async function killWorkerAt<L extends Learner>(
  moments: readonly Moment[],
  learners: readonly L[],
  act: (learner: L) => Promise<unknown>,
): Promise<void> {
  const done = await killAt(worker, moments, learners, act);
  expect(done.filter(({ status }) => status === "rejected")).toEqual([]);
  await replaceWorker();
}

async function replaceWorker(): Promise<void> {
  await workforce.endLeases();
  await startWorker();
  await workforce.settled();
}

/** Expects that a credential in force exists once, with one file, one email, and each event once. */
async function expectMade(uuid: string, { emails = 1 } = {}): Promise<void> {
  const { academy } = workforce;
  const { status, username } = await academy.credentials.getCredential({ uuid });
  expect(status).toBe(CredentialStatus.AVAILABLE);
  const { credentials } = await academy.credentials.listCredentials({ username });
  const inForce = credentials.filter((credential) => credential.status !== CredentialStatus.INVALIDATED);
  expect(inForce.map((credential) => credential.uuid)).toEqual([uuid]);
  expect(await academy.filesOf(uuid)).toHaveLength(1);
  expect(await workforce.events(uuid)).toEqual(["issued", "available", "emailed"]);
  expect(await emailsAbout(uuid, sink.received)).toEqual(Array(emails).fill(`<${uuid}@academy.test>`));
}

/** Expects that an invalidated credential has only the file that was moved away. */
async function expectPutAway(uuid: string): Promise<void> {
  const { academy } = workforce;
  expect(await academy.filesOf(uuid)).toEqual([]);
  expect(await academy.filesOf(uuid, "_invalidated")).toHaveLength(1);
  expect(await workforce.events(uuid)).toEqual(["issued", "available", "emailed", "invalidated"]);
  expect(await emailsAbout(uuid, sink.received)).toHaveLength(1);
}

describe("a worker that is killed while it generates", () => {
  const setsAvailable: Step = {
    at: "before update",
    table: CREDENTIALS,
    when: "new.status = 'available'",
  };

  // One statement takes all jobs, so no other job continues while it is held.
  const takesJob: Step = {
    at: "before update",
    table: JOBS,
    when: "old.leased_until is null and new.leased_until is not null and new.payload->>'credentialId' is not null",
  };

  test.each([
    ...bothFates("taking the job", takesJob).flatMap((moment) => deaths([moment])),
    ...deaths([
      brokenOff("setting it available, its file being stored", setsAvailable),
      brokenOff("keeping the event", { at: "before insert", table: EVENTS, when: "new.type = 'available'" }),
      brokenOff("enqueueing the mail", {
        at: "before insert",
        table: JOBS,
        when: "new.payload->>'credentialUuid' is not null",
      }),
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
    ]),
  ])("%s", async (_, moments) => {
    const uuids: string[] = [];
    await killWorkerAt(moments, newcomers(moments), async (learner) =>
      uuids.push((await issue(learner)).uuid),
    );
    for (const uuid of uuids) await expectMade(uuid);
    await expectNothingAmiss(workforce);
  });

  test.each(["breakOff", "release"] as const)(
    "setting it available, and then again, beginning the next attempt, %s",
    async (fate) => {
      const learner = { username: newcomer() };
      const uuids: string[] = [];
      const stored = brokenOff("setting it available", setsAvailable);
      await killAt(worker, [stored], [learner], async () => uuids.push((await issue(learner)).uuid));
      const hold = await holdAt(workforce.academy.service.app.database.url, learner.username, {
        at: "before update",
        table: CREDENTIALS,
        when: "new.attempt > old.attempt",
      });
      await workforce.endLeases();
      await startWorker();
      await hold.reached();
      await worker.kill();
      await hold[fate]();
      await replaceWorker();
      for (const uuid of uuids) await expectMade(uuid);
      await expectNothingAmiss(workforce);
    },
  );
});

describe("a worker that is killed while it emails", () => {
  const isEmailed = "old.sent_at is null and new.sent_at is not null";

  test.each([
    ...deaths([
      brokenOff("noting that the mail went out", { at: "before update", table: EMAILS, when: isEmailed }),
      brokenOff("keeping the event", { at: "before insert", table: EVENTS, when: "new.type = 'emailed'" }),
      brokenOff("committing", { at: AT_COMMIT, table: EMAILS, when: isEmailed }),
    ]).map((death) => [2, ...death] as const),
    ...deaths([
      letGo("committing", { at: AT_COMMIT, table: EMAILS, when: isEmailed }),
      brokenOff("taking the job off the queue", {
        at: "before delete",
        table: JOBS,
        when: "old.payload->>'credentialUuid' is not null",
      }),
    ]).map((death) => [1, ...death] as const),
  ])("%d emails with one Message-ID: %s", async (emails, _, moments) => {
    const uuids: string[] = [];
    await killWorkerAt(moments, newcomers(moments), async (learner) =>
      uuids.push((await issue(learner)).uuid),
    );
    for (const uuid of uuids) await expectMade(uuid, { emails });
    await expectNothingAmiss(workforce);
  });

  test("waiting for the email server's response: 2 emails with one Message-ID", async () => {
    sink.answers.data.push("hang");
    const { uuid } = await issue({ username: newcomer() });
    await until(() => expect(sink.received).toHaveLength(1));
    await worker.kill();
    await replaceWorker();
    await expectMade(uuid, { emails: 2 });
    await expectNothingAmiss(workforce);
  });
});

describe("a worker that is killed while it moves the file of an invalidated credential", () => {
  test.each(
    deaths([
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
    ]),
  )("%s", async (_, moments) => {
    const issued = await holders(moments);
    const { credentials } = workforce.academy;
    await killWorkerAt(moments, issued, ({ uuid }) =>
      credentials.invalidateCredential({ uuid, reason: REASON }),
    );
    for (const { uuid } of issued) await expectPutAway(uuid);
    await expectNothingAmiss(workforce);
  });
});

describe("a service that is killed", () => {
  type Credentials = Client<typeof CredentialService>;

  /** Kills the service while it executes a call for each learner. The calls are then repeated on another service. */
  async function killServiceAt<L extends Learner, T>(
    moments: readonly Moment[],
    learners: readonly L[],
    call: (credentials: Credentials, learner: L) => Promise<T>,
  ): Promise<T[]> {
    const calls = await killAt(server, moments, learners, (learner) => call(server.credentials, learner));
    expect(calls.map(({ status }) => status)).toEqual(calls.map(() => "rejected"));
    server = await workforce.serve();
    const answered = await Promise.all(learners.map((learner) => call(server.credentials, learner)));
    await workforce.settled();
    return answered;
  }

  const insertsCredential: Step = { at: "before insert", table: CREDENTIALS, when: "true" };
  const insertsJob = { at: "before insert", table: JOBS } as const;
  const commitsCredential: Step = { at: "at commit, after insert", table: CREDENTIALS, when: "true" };
  const invalidates = "old.status = 'available' and new.status = 'invalidated'";

  test.each(
    deaths([
      brokenOff("inserting it", insertsCredential),
      brokenOff("keeping the event", { at: "before insert", table: EVENTS, when: "new.type = 'issued'" }),
      brokenOff("enqueueing the job", { ...insertsJob, when: "true" }),
      ...bothFates("committing", commitsCredential),
    ]),
  )("while it issues a credential, %s", async (_, moments) => {
    const learners = newcomers(moments);
    await workforce.enrol(...learners.map(({ username }) => username));
    const { configurationId } = workforce.academy;
    const answered = await killServiceAt(moments, learners, (credentials, { username }) =>
      credentials.issueCredential({ configurationId, username }),
    );
    for (const { uuid } of answered) await expectMade(uuid);
    await expectNothingAmiss(workforce);
  });

  test.each(
    deaths([
      brokenOff("setting it so", { at: "before update", table: CREDENTIALS, when: invalidates }),
      brokenOff("enqueueing the move", {
        ...insertsJob,
        when: "new.payload->>'credentialUuid' is not null",
      }),
      ...bothFates("committing", { at: AT_COMMIT, table: CREDENTIALS, when: invalidates }),
    ]),
  )("while it invalidates one, %s", async (_, moments) => {
    const issued = await holders(moments);
    await killServiceAt(moments, issued, (credentials, { uuid }) =>
      credentials.invalidateCredential({ uuid, reason: REASON }),
    );
    for (const { uuid } of issued) await expectPutAway(uuid);
    await expectNothingAmiss(workforce);
  });

  test.each(
    deaths([
      brokenOff("invalidating the old one", { at: "before update", table: CREDENTIALS, when: invalidates }),
      brokenOff("inserting the new one", insertsCredential),
      brokenOff("enqueueing its job", {
        ...insertsJob,
        when: "new.payload->>'credentialId' is not null",
      }),
      brokenOff("keeping the last event", {
        at: "before insert",
        table: EVENTS,
        when: "new.type = 'reissued'",
      }),
      ...bothFates("committing", commitsCredential),
    ]),
  )("while it reissues one, %s", async (_, moments) => {
    const issued = await holders(moments);
    const answered = await killServiceAt(moments, issued, (credentials, { uuid }) =>
      credentials.reissueCredential({ uuid, reason: REASON }),
    );
    for (const [index, { uuid: old }] of issued.entries()) {
      const { uuid = "", replacesUuid } = answered[index] ?? {};
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
    }
    await expectNothingAmiss(workforce);
  });
});

test("doctor finds no faults afterwards", async () => {
  expect(await workforce.run("doctor")).toMatchObject({ exitCode: 0 });
});

function brokenOff(name: string, step: Step): Moment {
  return { name, fate: "breakOff", step };
}

function letGo(name: string, step: Step): Moment {
  return { name, fate: "release", step };
}

function bothFates(name: string, step: Step): Moment[] {
  return [brokenOff(name, step), letGo(name, step)];
}

/** Divides the moments among as few kills as possible. */
function deaths(moments: readonly Moment[]): [title: string, moments: readonly Moment[]][] {
  const count = Math.ceil(moments.length / JOBS_AT_A_TIME);
  return Array.from({ length: count }, (_, index) => {
    const some = moments.filter((_, at) => at % count === index);
    return [some.map(({ name, fate }) => `${name}, ${fate}`).join("; "), some];
  });
}
