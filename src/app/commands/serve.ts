import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import type { Logger } from "pino";
import { failedPrecondition } from "#foundation/errors.js";
import { isChild, notifyParent } from "#runtime/processes/child.js";
import { MAX_PROCESSES, poolSizeBeside } from "#runtime/processes/shares.js";
import { type Config, readServiceConfig } from "#runtime/settings/config.js";
import { storePlatformName } from "#runtime/settings/platform-name.js";
import { reachableHost } from "#runtime/settings/reachable-host.js";
import type { App } from "../app.js";
import type { Listening } from "../listen.js";
import { academyName } from "../sample-data/academy.js";
import { banner } from "../sample-data/banner.js";
import { staffUser } from "../sample-data/cast.js";
import { untilStopped } from "./until-stopped.js";

const DAY_S = 86_400;

interface ServeOptions {
  readonly worker: boolean;
  readonly sampleData: boolean;
  /** undefined if this process does all the work. */
  readonly processes: number | undefined;
}

export function addCommand(program: Command): void {
  program
    .command("serve")
    .description("serve HTTP and gRPC, and run jobs")
    .option("--no-worker", "don't run jobs: leave them to `worker` processes")
    .option(
      "--processes <number>",
      `number of processes, 1 to ${MAX_PROCESSES}, or \`auto\` for one per core`,
      readProcesses,
    )
    .option("--sample-data", "load the sample academy, and print calls to try", false)
    .addHelpText(
      "after",
      `
Without DATABASE_URL, the service runs its own PostgreSQL in DATA_DIR. In a new directory, it creates the database and
the secrets; other commands need an existing directory. To stop the service, send SIGINT (Ctrl-C) or SIGTERM: it exits
within seconds, after calls and jobs in progress have ended.

With --processes, several processes share HTTP_PORT and GRPC_PORT, another one runs the jobs, and a parent replaces
processes that die. SIGHUP replaces all processes, one by one, without refusing a connection. The new processes read
certificates and files of secrets again, and run an installed upgrade. PUBLIC_RATE_LIMIT, MAX_CONCURRENT_CALLS and
DATABASE_POOL_SIZE apply to each process. On ADMIN_PORT, /readyz and /metrics report on all processes.`,
    )
    .action(async (options: ServeOptions) => {
      const { PLATFORM_NAME: configuredName } = process.env;
      const isSampleName = options.sampleData && !configuredName;
      const config = readServiceConfig(
        isSampleName ? { ...process.env, PLATFORM_NAME: academyName } : process.env,
      );
      if (options.sampleData) refuseSampleDataIn(config);
      if (isChild()) await serveBesideOthers(config, options.processes ?? 1);
      else await serveAlone(config, options, isSampleName);
    });
}

/** Starts the service in this process, or supervises the processes of `--processes`. */
async function serveAlone(config: Config, options: ServeOptions, isSampleName: boolean): Promise<void> {
  const isAlone = options.processes === undefined;
  // Loads the module while the database connects. A static import would slow down `--help`, which loads this file, too.
  const start = isAlone ? import("./serve-here.js") : import("./serve-by-processes.js");
  start.catch(() => {}); // prevents an unhandled rejection before `start` is awaited
  const run = async (app: App, stopping: AbortSignal, listening: Listening | undefined) => {
    if (isSampleName) await storePlatformName(config.dataDir, academyName);
    const serving = await (await start).startServing(app, { ...options, stopping, listening });
    const { publicUrl } = serving.addresses;
    app.log.info({ ...serving.addresses, adminPort: serving.adminPort }, "serving");
    const sample = options.sampleData
      ? await (await import("./prepare-sample.js")).prepareSample(app, options.worker, stopping)
      : undefined;
    process.stdout.write(
      banner({
        publicUrl,
        grpcAddress: `${reachableHost(config.host)}:${serving.addresses.grpcPort}`,
        signInLink: config.databaseUrl === undefined ? await newSignInLink(app, publicUrl) : undefined,
        docsUrl: config.apiDocs ? `${publicUrl}/api/learning_credentials/v1/docs/` : undefined,
        ...storageOf(config, await sendsEmails(app)),
        sample,
      }),
    );
    return serving;
  };
  await untilStopped(config, "own", run, isAlone ? listenNow : undefined);
}

/** Loads the module on demand, because a static import would slow down `--help`, which loads this file, too. */
async function listenNow(config: Config, log: Logger): Promise<Listening> {
  return (await import("../listen.js")).listen(config, log);
}

/** Serves requests as one of several processes. */
async function serveBesideOthers(config: Config, processes: number): Promise<void> {
  const pool = config.databasePoolSize ?? poolSizeBeside(processes);
  const settings = { ...config, databasePoolSize: pool };
  const run = async (app: App, _: AbortSignal, listening: Listening | undefined) => {
    const { startServing } = await import("./serve-here.js");
    const serving = await startServing(app, { worker: false, processes, listening });
    app.log.info(serving.addresses, "serving");
    notifyParent({ type: "ready", addresses: serving.addresses });
    return serving;
  };
  // The system gives connections to every process that listens. Therefore, this process doesn't listen before it can
  // serve them, unless it must listen to learn its address.
  const knowsAddress = config.publicUrl !== undefined || config.httpPort !== 0;
  await untilStopped(settings, "share", run, knowsAddress ? undefined : listenNow);
}

function readProcesses(text: string): number {
  if (text === "auto") return Math.min(MAX_PROCESSES, availableParallelism());
  const number = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= MAX_PROCESSES) return number;
  throw new InvalidArgumentError(`It must be a number of processes, 1 to ${MAX_PROCESSES}, or auto.`);
}

/** Printing the link is safe: anyone who can read this output can also read the data directory. */
async function newSignInLink({ database }: App, publicUrl: string): Promise<string> {
  const { createSignInLink } = await import("#infrastructure/sessions/sign-in-link.js");
  return createSignInLink(database.knex, publicUrl, {
    username: staffUser.username,
    roles: ["admin"],
    organisations: [],
    lifetimeS: DAY_S,
  });
}

/** Returns whether an email server is set, even if it can't be used. */
function sendsEmails({ email }: App): Promise<boolean> {
  return email().then(
    ({ server }) => server !== undefined,
    () => true,
  );
}

function storageOf({ databaseUrl, dataDir, s3 }: Config, hasEmailServer: boolean) {
  const storage = [
    ...(databaseUrl === undefined ? (["database"] as const) : []),
    ...(s3 ? [] : (["files"] as const)),
    ...(hasEmailServer ? [] : (["emails"] as const)),
    ...(databaseUrl === undefined ? (["secrets"] as const) : []),
  ];
  return { dataDir: resolve(dataDir), storage, bucket: s3 && `bucket ${s3.bucket} at ${s3.endpoint}` };
}

/**
 * Rejects sample data for other databases. Fictional learners with verifiable certificates must not mix with real ones.
 */
function refuseSampleDataIn({ databaseUrl }: Config): void {
  if (databaseUrl === undefined) return;
  throw failedPrecondition(
    "--sample-data requires the embedded database, but DATABASE_URL is set: omit one of them. " +
      "(`npm start` adds --sample-data; `node dist/src/main.js serve` does not.)",
  );
}
