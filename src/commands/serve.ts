import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "commander";
import { type App, openApp, type Serving, serve, work } from "../app.js";
import { readConfig } from "../config.js";
import { getCredential } from "../credentials/get-credential.js";
import { mintToken } from "../identity/mint-token.js";
import type { Worker } from "../jobs/worker.js";
import { createLog } from "../log.js";
import { banner } from "../sample-data/banner.js";
import { cast, platformService, staffUser } from "../sample-data/cast.js";
import { loadSampleData } from "../sample-data/load.js";

/** How long `npm start` waits for the first sample credential to be made, before it shows it. */
const SAMPLE_WAIT_MS = 20_000;
const DAY_S = 86_400;

export function addServeCommands(program: Command): void {
  program
    .command("serve")
    .description("open the doors (HTTP and gRPC), and run jobs")
    .option("--no-worker", "leave the jobs to `worker` processes")
    .option("--sample-data", "load a sample academy and print calls to try", false)
    .action(async (options: { worker: boolean; sampleData: boolean }) => {
      await untilStopped(async (app) => {
        const serving = await serve(app);
        app.log.info({ ...serving, publicUrl: app.publicUrl.get() }, "serving");
        const worker = options.worker ? work(app) : undefined;
        if (options.sampleData) await showSampleData(app, serving);
        return worker;
      });
    });

  program
    .command("worker")
    .description("run jobs, beside any number of `serve` and `worker` processes on the same database")
    .action(() => untilStopped(async (app) => work(app)));
}

/**
 * Runs until a signal stops it, or until the worker that `start` gives has ended by itself, which is a failure. A second signal
 * ends the process at once.
 */
async function untilStopped(start: (app: App) => Promise<Worker | undefined>): Promise<void> {
  const config = readConfig(process.env);
  const signal = new Promise<NodeJS.Signals>((stop) => {
    for (const name of ["SIGINT", "SIGTERM"] as const) {
      process.once(name, () => {
        stop(name);
        process.once(name, () => process.exit(1));
      });
    }
  });
  const log = createLog(config.logLevel);
  const app = await openApp(config, log, "own");
  try {
    const worker = await start(app);
    const stoppedBy = await Promise.race([signal, ...(worker ? [worker.ended.then(() => "worker")] : [])]);
    log.info({ stoppedBy }, "stopping");
    if (stoppedBy === "worker") process.exitCode = 1;
  } finally {
    await app.close();
  }
}

async function showSampleData(app: App, { grpcPort }: Serving): Promise<void> {
  const { config, database, functions, secrets } = app;
  const issued = await loadSampleData(database, functions, AbortSignal.timeout(SAMPLE_WAIT_MS));
  const mint = (caller: { username: string; isStaff?: boolean; scopes?: readonly string[] }) =>
    mintToken({ ...config.auth, ...caller, secret: secrets.authJwtSecret ?? "", expiresInSeconds: DAY_S });
  process.stdout.write(
    banner({
      publicUrl: app.publicUrl.get(),
      grpcAddress: `${config.host}:${grpcPort}`,
      dataDir: resolve(config.dataDir),
      credential: await whenMade(app, issued.uuid),
      tokens: {
        learner: await mint({ username: cast.graduate.username }),
        staff: await mint(staffUser),
        service: await mint(platformService),
      },
    }),
  );
}

async function whenMade({ database }: App, uuid: string) {
  const deadline = Date.now() + SAMPLE_WAIT_MS;
  for (;;) {
    const credential = await getCredential(database.knex, uuid);
    if (credential.status !== "generating" || Date.now() > deadline) return credential;
    await sleep(100);
  }
}
