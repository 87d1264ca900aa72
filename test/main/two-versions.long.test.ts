import { setTimeout as sleep } from "node:timers/promises";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { expect, onTestFinished, test, vi } from "vitest";
import { createClient, type NodeClient } from "#client/node.js";
import { CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import type { RecordSchema } from "#gen/learning_credentials/v1/record_pb.js";
import { offerCredential } from "../configurations/offer-credential.js";
import { createTestDatabase } from "../support/database.js";
import { newDirectory } from "../support/directory.js";
import { completed, enrolled } from "../support/records.js";
import { SETTINGS, tokenOf } from "../support/service.js";
import { unpackCommit } from "./earlier-commit.js";
import { buildProgram, type Program, type Running } from "./program.js";

/** The last commit of release 1.0.0. */
const EARLIER = "b82b72e7";

const PUBLIC_URL = "https://credentials.test";
/** The issuer and audience of accepted tokens. */
const origin = { issuer: "https://lms.test/oauth2", audience: "credentials" };
const API = "/api/learning_credentials/v1";
const COURSE = "course-v1:Uni+C1+2026";
/** The number of learners. Not all of them receive credentials. */
const LEARNERS = 300;
/** The number of turns that every caller completes before the next change. */
const ROUNDS = 4;
/** Pino's number of the info level. */
const LEVEL_INFO = 30;

/** A running `serve` process from the callers' point of view. */
interface Transport {
  readonly version: string;
  readonly httpUrl: string;
  readonly staff: NodeClient;
  readonly platform: NodeClient;
}

/** A caller's actions in one turn. `transport` is the server whose turn it is, and `other` the next server. */
type Turn = (transport: Transport, other: Transport) => Promise<void>;

test("processes of an earlier version and of this one share a database while it is migrated, under load", {
  timeout: 180_000,
}, async ({ skip }) => {
  const settings = await openSettings();
  const earlier = await buildEarlier();
  if (!earlier) {
    console.warn(`skipped: two versions; ${EARLIER} is not here: the clone is shallow, or this is none`);
    return skip();
  }
  const today = await build();

  const olderServe = earlier.start(["serve", "--no-worker"], settings);
  const olderWorker = earlier.start(["worker"], settings);
  const transports = [await openTransport("earlier", olderServe)];
  const { configurationId, next } = await offer(transports[0] as Transport);
  const outcomes = new Map<string, CredentialStatus>();
  const issuing: Turn = (transport, other) =>
    issueReadWithdraw(transport, other, { configurationId, username: next(), outcomes });
  const load = startLoad([issuing, issuing, lookAtOneself, reportAgain], transports);
  await load.rounds(ROUNDS);

  const migrated = await today.run(["migrate", "up"], settings);
  expect(migrated).toMatchObject({ exitCode: 0, stderr: "" });
  expect(migrated.stdout).toMatch(/^(?:applied|created|nothing is pending)/);
  await load.rounds(ROUNDS);

  const serve = today.start(["serve", "--no-worker"], settings);
  const worker = today.start(["worker"], settings);
  transports.push(await openTransport("today", serve));
  await load.rounds(2 * ROUNDS);

  // Like a load balancer, sends no more callers to the server before it is stopped.
  transports.shift();
  await load.rounds(1);
  for (const each of [olderServe, olderWorker]) await stopInOrder(each);
  await load.rounds(ROUNDS);
  await load.stop();
  expect(load.failures).toEqual([]);

  const { staff } = transports[0] as Transport;
  const { credentials } = await staff.credentials.listCredentials({ pageSize: 1000 });
  expect(new Map(credentials.map(({ uuid, status }) => [uuid, status]))).toEqual(outcomes);
  expect(credentials).toHaveLength(outcomes.size);
  for (const each of [serve, worker]) await stopInOrder(each);
  expect(await today.run(["doctor"], settings)).toMatchObject({ exitCode: 0, stderr: "" });
});

/** @returns undefined if the commit is not available */
async function buildEarlier(): Promise<Program | undefined> {
  const source = newDirectory("versions");
  return (await unpackCommit(EARLIER, source)) ? build(source) : undefined;
}

async function build(source?: string): Promise<Program> {
  const program = await buildProgram(source);
  onTestFinished(() => program.remove());
  return program;
}

/** The settings of a service on an empty database. */
async function openSettings(): Promise<Record<string, string>> {
  const { url, database, drop } = await createTestDatabase();
  onTestFinished(drop);
  await database.knex.raw("drop schema public cascade; create schema public");
  return {
    ...SETTINGS,
    DATABASE_URL: url,
    DATA_DIR: newDirectory("versions"),
    AUTH_JWT_ISSUER: origin.issuer,
    AUTH_JWT_AUDIENCE: origin.audience,
    LOG_LEVEL: "info",
  };
}

async function openTransport(version: string, process: Running): Promise<Transport> {
  await process.says(/Ctrl-C/);
  const serving = () => logOf(process).find(({ msg }) => msg === "serving");
  const { httpPort, grpcPort } = await vi.waitUntil(serving, { timeout: 40_000, interval: 20 });
  const clientOf = async (caller: Parameters<typeof tokenOf>[0]) => {
    const client = createClient({
      baseUrl: `http://127.0.0.1:${grpcPort}`,
      token: await tokenOf({ ...caller, ...origin }),
    });
    onTestFinished(() => client.close());
    return client;
  };
  return {
    version,
    httpUrl: `http://127.0.0.1:${httpPort}`,
    staff: await clientOf({ username: "registrar", isStaff: true }),
    platform: await clientOf({ username: "lms", service: "write" }),
  };
}

interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly httpPort?: number;
  readonly grpcPort?: number;
}

function logOf(process: Running): LogLine[] {
  // The text after the last line break may be half a line.
  const lines = process.stderr().split("\n").slice(0, -1);
  return lines.map((line) => JSON.parse(line));
}

/** Stops a process, and expects that it logged no warnings or errors. */
async function stopInOrder(process: Running): Promise<void> {
  expect(await process.end("SIGTERM")).toMatchObject({ exitCode: 0 });
  expect(logOf(process).filter(({ level }) => level > LEVEL_INFO)).toEqual([]);
}

/**
 * Creates a course in which every learner may have a certificate.
 * @returns the configuration of the certificate, and a source of new learners
 */
async function offer({ platform, staff }: Transport) {
  await platform.learnerRecords.upsertRecords({
    records: [
      { kind: { case: "course", value: { courseKey: COURSE, displayName: "Course One" } } },
      ...Array.from({ length: LEARNERS }, (_, number) => recordsOf(`learner.${number}`)).flat(),
    ],
  });
  const { id } = await offerCredential(staff.configurations, COURSE, "Certificate", "retrieve_completions");
  let last = 0;
  const next = () => {
    last += 1;
    return `learner.${last}`;
  };
  return { configurationId: id, next };
}

type Kind = NonNullable<MessageInitShape<typeof RecordSchema>["kind"]>;

function recordsOf(username: string): { kind: Kind }[] {
  const kinds: Kind[] = [
    {
      case: "learner",
      value: { username, fullName: `Learner ${username}`, email: `${username}@example.org` },
    },
    enrolled(username, COURSE),
    completed(username, COURSE, 1),
  ];
  return kinds.map((kind) => ({ kind }));
}

/** Issues credentials at one server and reads them at the other. Invalidates a third of them. */
async function issueReadWithdraw(
  transport: Transport,
  other: Transport,
  of: { configurationId: number; username: string; outcomes: Map<string, CredentialStatus> },
): Promise<void> {
  const { configurationId, username, outcomes } = of;
  const { uuid, verifyUuid } = await transport.platform.credentials.issueCredential({
    configurationId,
    username,
  });
  await vi.waitUntil(
    async () => (await other.staff.credentials.getCredential({ uuid })).status === CredentialStatus.AVAILABLE,
    { timeout: 40_000, interval: 50 },
  );
  outcomes.set(uuid, CredentialStatus.AVAILABLE);
  const { url } = await transport.staff.credentials.getDownloadUrl({ uuid });
  const document = await fetch(url.replace(PUBLIC_URL, other.httpUrl));
  expect(Buffer.from(await document.arrayBuffer()).toString("latin1", 0, 5)).toBe("%PDF-");
  const metadata = async (at: Transport) =>
    (await fetch(`${at.httpUrl}${API}/metadata/${verifyUuid}/`)).json();
  const said = { user_full_name: `Learner ${username}`, learning_context_name: "Course One" };
  expect(await metadata(other)).toMatchObject({ ...said, status: "available" });
  if (outcomes.size % 3 !== 0) return;
  await other.staff.credentials.invalidateCredential({ uuid, reason: "Issued in error." });
  outcomes.set(uuid, CredentialStatus.INVALIDATED);
  expect(await metadata(transport)).toMatchObject({ ...said, status: "invalidated" });
}

/** Reads a learner's own progress. */
const lookAtOneself: Turn = async ({ httpUrl }) => {
  const token = await tokenOf({ username: "learner.0", ...origin });
  const response = await fetch(`${httpUrl}${API}/eligibility/${COURSE}/`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(await response.json()).toMatchObject({
    credentials: [{ is_eligible: true, current_completion: 1, existing_credential: null }],
  });
};

/** Sends records that the service has already. */
const reportAgain: Turn = async ({ platform }) => {
  const answer = await platform.learnerRecords.upsertRecords({ records: recordsOf("learner.0") });
  expect(answer).toMatchObject({ summary: { rejected: 0 } });
};

/** Starts callers that take turns at the current servers. Failures are collected, and the callers continue. */
function startLoad(callers: readonly Turn[], transports: readonly Transport[]) {
  const failures: string[] = [];
  const turns = callers.map(() => 0);
  let isStopped = false;

  async function comeRound(turn: Turn, index: number): Promise<void> {
    while (!isStopped) {
      const [transport, other] = [0, 1].map(
        (step) => transports[((turns[index] ?? 0) + step) % transports.length] as Transport,
      );
      await turn(transport as Transport, other as Transport).catch((error) =>
        failures.push(`${transport?.version}, ${other?.version}: ${error}`),
      );
      turns[index] = (turns[index] ?? 0) + 1;
      await sleep(5);
    }
  }

  const ended = Promise.all(callers.map(comeRound));
  return {
    failures,
    /** Waits until every caller has completed this many turns. */
    async rounds(count: number): Promise<void> {
      const wanted = turns.map((turn) => turn + count);
      const haveCome = () => turns.every((turn, index) => turn >= (wanted[index] ?? 0));
      await vi.waitUntil(haveCome, { timeout: 60_000, interval: 20 });
    },
    async stop(): Promise<void> {
      isStopped = true;
      await ended;
    },
  };
}
