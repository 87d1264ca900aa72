import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createConnectTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import pg from "pg";
import { assembleClient, authorize, type LearningCredentialsClient } from "#client/client.js";
import { createClient } from "#client/node.js";
import type { S3Settings } from "#infrastructure/files/s3/file-store.js";
import { offerCredential } from "../configurations/offer-credential.js";
import { startGivenPgBouncer } from "../db/pgbouncer.js";
import { type SmtpSink, startSmtpSink } from "../email/smtp-sink.js";
import { startS3rver } from "../files/s3/endpoints.js";
import { type FaultyProxy, startFaultyProxy } from "../files/s3/faulty-proxy.js";
import { buildProgram, type Outcome, type Running } from "../main/program.js";
import { freePort } from "../support/free-port.js";
import { SETTINGS, tokenOf } from "../support/service.js";
import type { Offer, Progress } from "./knowledge.js";
import { type RestartablePostgres, startRestartablePostgres } from "./restartable-postgres.js";

export const COURSE = "course-v1:Soak+C1+2026";
export const PATH = "path-v1:Soak+P1+2026+all";
export const OUTPUT_DIR = "learning_credentials";
const COURSE_NAME = "Course One";
const PATH_NAME = "Path One";
const BUCKET = "credentials";

/** A server and a protocol to call it. The statistics list the combination under its name. */
export interface ServiceAddress {
  readonly name: string;
  /** A client with the platform's token, which has all permissions. */
  readonly client: LearningCredentialsClient;
  /** A client with another token. For gRPC, it uses Connect, because each gRPC client needs a connection of its own. */
  as(token: string): LearningCredentialsClient;
}

/** Two services and two workers with their database, store and email server, and three credential configurations. */
export interface Deployment {
  readonly offers: readonly Offer[];
  /** gRPC, Connect and gRPC-Web of both services. */
  readonly addresses: readonly ServiceAddress[];
  /** The HTTP base URLs of both services. */
  readonly httpUrls: readonly string[];
  readonly postgres: RestartablePostgres;
  /** The proxy in front of the store. */
  readonly store: FaultyProxy;
  /** The store behind the proxy. */
  readonly s3: S3Settings;
  readonly sink: SmtpSink;
  /** The processes that are running now. */
  readonly processes: ReadonlyMap<string, Running>;
  /** All processes so far, including those that were killed. */
  readonly started: readonly Running[];
  /** Kills a worker by SIGKILL and starts another in its place. */
  replaceWorker(name: string): Promise<void>;
  tokenOf(username: string): Promise<string>;
  readonly staffToken: string;
  /** Runs a command of the built program with the same settings. */
  run(...args: string[]): Promise<Outcome>;
  close(): Promise<void>;
}

/**
 * @param poolSize the number of connections that the processes share through PgBouncer in transaction mode. Default:
 *   PgBouncer is not used
 */
export async function openDeployment(poolSize?: number): Promise<Deployment> {
  const releases: (() => unknown)[] = [];
  const close = async () => {
    for (let release = releases.pop(); release; release = releases.pop()) await release();
  };
  try {
    return await open(releases, close, poolSize);
  } catch (error) {
    await close();
    throw error;
  }
}

async function open(
  releases: (() => unknown)[],
  close: Deployment["close"],
  poolSize: number | undefined,
): Promise<Deployment> {
  const dataDir = await mkdtemp(join(tmpdir(), "learning-credentials-soak-"));
  releases.push(() => rm(dataDir, { recursive: true, force: true }));
  const postgres = await startRestartablePostgres(join(dataDir, "database"));
  releases.push(postgres.stop);
  const database =
    poolSize === undefined ? { DATABASE_URL: postgres.url } : await pooled(postgres.url, poolSize, releases);
  const s3 = await startS3rver();
  releases.push(s3.stop);
  const store = await startFaultyProxy(s3.endpoint);
  releases.push(store.stop);
  const sink = await startSmtpSink();
  const program = await buildProgram();
  releases.push(program.remove);

  const ports = await Promise.all(Array.from({ length: 4 }, freePort));
  const [firstHttp = 0, firstGrpc = 0, secondHttp = 0, secondGrpc = 0] = ports;
  const settings: Record<string, string> = {
    ...SETTINGS,
    ...database,
    DATA_DIR: dataDir,
    PUBLIC_URL: `http://127.0.0.1:${firstHttp}`,
    ...s3.settings,
    S3_ENDPOINT: store.url,
    S3_BUCKET: BUCKET,
    SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
    MAIL_FROM: "no-reply@soak.test",
    LOG_LEVEL: "warn",
  };
  const processes = new Map<string, Running>();
  const started: Running[] = [];
  const serve = async (name: string, http: number, grpc: number) => {
    const own = { ...settings, HTTP_PORT: String(http), GRPC_PORT: String(grpc) };
    const running = program.start(["serve", "--no-worker"], own);
    await running.says(/Press Ctrl-C to stop\.\n/);
    processes.set(name, running);
    started.push(running);
  };
  const startWorker = async (name: string) => {
    const running = program.start(["worker"], settings);
    await running.says(/The worker is running jobs/);
    processes.set(name, running);
    started.push(running);
  };
  await serve("service 1", firstHttp, firstGrpc);
  await Promise.all([
    serve("service 2", secondHttp, secondGrpc),
    startWorker("worker 1"),
    startWorker("worker 2"),
  ]);

  const platform = await tokenOf({ username: "lms", service: "write" });
  const addresses = [
    [firstHttp, firstGrpc],
    [secondHttp, secondGrpc],
  ].flatMap(([http, grpc]) =>
    transportsOf(`http://127.0.0.1:${http}`, `http://127.0.0.1:${grpc}`, platform, releases),
  );
  const tokens = new Map<string, Promise<string>>();
  return {
    offers: await openOffers((addresses[0] as ServiceAddress).client),
    addresses,
    httpUrls: [`http://127.0.0.1:${firstHttp}`, `http://127.0.0.1:${secondHttp}`],
    postgres,
    store,
    s3: { ...s3, publicEndpoint: undefined, pathStyle: true, bucket: BUCKET, customDomain: undefined },
    sink,
    processes,
    started,
    async replaceWorker(name) {
      await processes.get(name)?.end("SIGKILL");
      await startWorker(name);
    },
    tokenOf(username) {
      const token = tokens.get(username) ?? tokenOf({ username });
      tokens.set(username, token);
      return token;
    },
    staffToken: await tokenOf({ username: "registrar", isStaff: true }),
    run: (...args) => program.run(args, settings),
    close,
  };
}

/** Starts PgBouncer. @returns the settings that .docs/databases.md recommends for it */
async function pooled(
  url: string,
  poolSize: number,
  releases: (() => unknown)[],
): Promise<Record<string, string>> {
  const client = new pg.Client(url);
  await client.connect();
  const role = pg.escapeIdentifier(new URL(url).username);
  for (const [timeout, limit] of Object.entries({
    statement_timeout: "60s",
    lock_timeout: "2s",
    idle_in_transaction_session_timeout: "60s",
  }))
    await client.query(`alter role ${role} set ${timeout} = '${limit}'`);
  await client.end();
  const bouncer = await startGivenPgBouncer(url, { default_pool_size: String(poolSize) });
  releases.push(bouncer.stop);
  return { DATABASE_URL: bouncer.url, DATABASE_DIRECT_URL: url };
}

function transportsOf(
  http: string,
  grpc: string,
  platform: string,
  releases: (() => unknown)[],
): ServiceAddress[] {
  const overGrpc = createClient({ baseUrl: grpc, token: platform });
  releases.push(() => overGrpc.close());
  const connect = (token: string) => {
    const interceptors = authorize({ baseUrl: http, token });
    return assembleClient(createConnectTransport({ baseUrl: http, httpVersion: "1.1", interceptors }), {
      baseUrl: http,
    });
  };
  const web = (token: string) => {
    const interceptors = authorize({ baseUrl: http, token });
    return assembleClient(createGrpcWebTransport({ baseUrl: http, httpVersion: "1.1", interceptors }), {
      baseUrl: http,
    });
  };
  return [
    { name: "gRPC", client: overGrpc, as: connect },
    { name: "Connect", client: connect(platform), as: connect },
    { name: "gRPC-Web", client: web(platform), as: web },
  ];
}

/**
 * Creates three configurations: one by grades and one by completion in a course, and one by grades in a learning path
 * that has the course as its step.
 */
async function openOffers({ configurations, learnerRecords }: LearningCredentialsClient): Promise<Offer[]> {
  await learnerRecords.upsertRecords({
    records: [
      {
        kind: {
          case: "course",
          value: {
            courseKey: COURSE,
            displayName: COURSE_NAME,
            gradingPolicy: [{ assignmentType: "Exam", weight: 1 }],
          },
        },
      },
      {
        kind: {
          case: "learningPath",
          value: { pathKey: PATH, displayName: PATH_NAME, stepCourseKeys: [COURSE] },
        },
      },
    ],
  });
  const offer = async (
    credentialType: string,
    retrieval: string,
    customOptions: { required_grades: Record<string, number> } | { required_completion: number },
    learningContextKey: string,
    isEarnedBy: (progress: Progress) => boolean,
  ): Promise<Offer> => {
    const { id: configurationId, credentialTypeId } = await offerCredential(
      configurations,
      learningContextKey,
      credentialType,
      retrieval,
      customOptions,
    );
    const learningContextName = learningContextKey === COURSE ? COURSE_NAME : PATH_NAME;
    return {
      configurationId,
      credentialTypeId,
      credentialType,
      learningContextKey,
      learningContextName,
      isEarnedBy,
    };
  };
  const grades = { required_grades: { Exam: 0.65, Total: 0.8 } };
  return [
    await offer("Achievement", "retrieve_subsection_grades", grades, COURSE, hasPassed),
    await offer("Completion", "retrieve_completions", { required_completion: 0.9 }, COURSE, hasCompleted),
    await offer(
      "Path",
      "retrieve_subsection_grades",
      grades,
      PATH,
      (each) => each.isInPath && hasPassed(each),
    ),
  ];
}

const hasPassed = ({ isEnrolled, earned }: Progress) => isEnrolled && earned >= 8;
const hasCompleted = ({ isEnrolled, completion }: Progress) => isEnrolled && completion >= 0.9;
