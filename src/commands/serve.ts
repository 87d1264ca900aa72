import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "commander";
import { type App, connectable, openApp, seal, serve, serveOps, work } from "../app.js";
import { type Config, readConfig } from "../config.js";
import type { Credential } from "../credentials/credential.js";
import { getCredential } from "../credentials/get-credential.js";
import { Problem } from "../errors.js";
import { mintToken } from "../identity/mint-token.js";
import { settlesWithin } from "../jobs/settles-within.js";
import type { Worker } from "../jobs/worker.js";
import { createLog } from "../log.js";
import { banner, type SampleFacts } from "../sample-data/banner.js";
import { cast, platformService, staffUser } from "../sample-data/cast.js";
import { invalidateMisprint } from "../sample-data/invalidate-misprint.js";
import { loadSampleData } from "../sample-data/load.js";
import { interruptSignal } from "./with-app.js";

/** How long the start waits for the first sample credential to be made, before it shows it. */
const SAMPLE_WAIT_MS = 20_000;
/** And, when that is made, for the one that is invalidated: it is made at about the same time. */
const MISPRINT_WAIT_MS = 3_000;
const DAY_S = 86_400;

export function addServeCommands(program: Command): void {
  program
    .command("serve")
    .description("open the doors (HTTP and gRPC), and run jobs")
    .option("--no-worker", "leave the jobs to `worker` processes")
    .option("--sample-data", "load a sample academy, and print calls to try", false)
    .addHelpText(
      "after",
      `
Without DATABASE_URL it runs a Postgres of its own in DATA_DIR; nothing else is needed. SIGINT (Ctrl-C) and SIGTERM stop
it when the calls and jobs under way are done, within seconds.`,
    )
    .action(async (options: { worker: boolean; sampleData: boolean }) => {
      const config = readConfig(process.env);
      if (options.sampleData) refuseSampleDataIn(config);
      await untilStopped(config, "own", async (app, stopping) => {
        const serving = { ...(await serve(app)), adminPort: await serveOps(app) };
        app.log.info({ ...serving, publicUrl: app.publicUrl.get() }, "serving");
        const worker = options.worker ? work(app) : undefined;
        const sample = options.sampleData ? await prepareSample(app, worker, stopping) : undefined;
        process.stdout.write(
          banner({
            publicUrl: app.publicUrl.get(),
            grpcAddress: `${connectable(config.host)}:${serving.grpcPort}`,
            dataDir: resolve(config.dataDir),
            isEmbedded: config.databaseUrl === undefined,
            sample,
          }),
        );
        return worker;
      });
    });

  program
    .command("worker")
    .description("run jobs, beside any number of `serve` and `worker` processes on the same database")
    .action(async () => {
      const config = readConfig(process.env);
      if (config.publicUrl === undefined) {
        throw new Problem(
          "failed-precondition",
          "PUBLIC_URL is not set, and it is printed on credentials: set it to where the service is reached, " +
            "such as http://127.0.0.1:8080.",
        );
      }
      await untilStopped(config, "attach", async (app) => {
        const worker = work(app);
        await serveOps(app);
        process.stdout.write("The worker is running jobs. Ctrl-C stops it.\n");
        return worker;
      });
    });
}

/**
 * Runs until a signal stops it, or until the worker that `start` gives has ended by itself, which is a failure.
 * @param embedded as for `openApp`
 */
async function untilStopped(
  config: Config,
  embedded: "own" | "attach",
  start: (app: App, stopping: AbortSignal) => Promise<Worker | undefined>,
): Promise<void> {
  const stopping = interruptSignal();
  const stopped = new Promise<"stopped">((stop) => {
    stopping.addEventListener("abort", () => stop("stopped"));
  });
  const log = await createLog(config.logLevel);
  let app: App | undefined;
  try {
    app = await openApp(config, log, embedded);
    seal(app);
    const worker = await start(app, stopping);
    const end = await Promise.race([stopped, ...(worker ? [worker.ended] : [])]);
    if (end !== "stopped")
      throw new Problem("unavailable", "The worker has given up; its log says why. Start it anew.");
  } catch (error) {
    // What the start was doing fails in a way of its own when it is cut short.
    if (!stopping.aborted) throw error;
  } finally {
    if (stopping.aborted) {
      log.info({ reason: stopping.reason.message }, "stopping");
      app?.readiness.fall();
      await sleep(config.shutdownDelay * 1000);
    }
    await app?.close();
  }
}

/** Learners who do not exist, with certificates that verify, have no place among real ones. */
function refuseSampleDataIn({ databaseUrl }: Config): void {
  if (databaseUrl === undefined) return;
  throw new Problem(
    "failed-precondition",
    "--sample-data is for the embedded database, and DATABASE_URL is set: leave one of the two out. " +
      "(`npm start` asks for sample data; `node dist/src/main.js serve` does not.)",
  );
}

/** Loads the sample academy, and makes what to show of it. */
async function prepareSample(
  app: App,
  worker: Worker | undefined,
  stopping: AbortSignal,
): Promise<SampleFacts> {
  const { config, secrets } = app;
  const { graduate, misprint } = await loadSampleData({ ...app, settings: config }, stopping);
  const invalidating = misprint && invalidateInBackground(app, misprint, stopping);
  const credential = graduate && worker ? await whenMade(app, graduate.uuid, stopping) : graduate;
  const isInvalidated = invalidating && (await settlesWithin(invalidating, MISPRINT_WAIT_MS));
  const invalidated = isInvalidated ? await invalidating : undefined;
  const secret = secrets.authJwtSecret;
  const mint = (caller: { username: string; isStaff?: boolean; scopes?: readonly string[] }) =>
    mintToken({ ...config.auth, ...caller, secret: secret ?? "", expiresInSeconds: DAY_S });
  return {
    credential: credential?.status === "available" ? credential : undefined,
    invalidated: invalidated?.status === "invalidated" ? invalidated : undefined,
    tokens:
      secret === undefined
        ? undefined
        : {
            learner: await mint({ username: cast.graduate.username }),
            staff: await mint(staffUser),
            service: await mint(platformService),
          },
  };
}

/** It goes on when the start waits no longer, and the next start tries again what this one did not come to. */
async function invalidateInBackground(
  { database, log }: App,
  misprint: Credential,
  stopping: AbortSignal,
): Promise<Credential | undefined> {
  try {
    return await invalidateMisprint(database, misprint.uuid, stopping);
  } catch (error) {
    if (!stopping.aborted) log.warn({ err: error }, "the misprinted sample credential was not invalidated");
    return undefined;
  }
}

async function whenMade({ database }: App, uuid: string, stopping: AbortSignal): Promise<Credential> {
  const deadline = Date.now() + SAMPLE_WAIT_MS;
  for (;;) {
    const credential = await getCredential(database.knex, uuid);
    if (credential.status !== "generating" || Date.now() > deadline) return credential;
    await sleep(100, undefined, { signal: stopping });
  }
}
