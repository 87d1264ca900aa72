import { resolve } from "node:path";
import type { Command } from "commander";
import type { App } from "../app.js";
import { Problem } from "../errors.js";
import { academyName } from "../sample-data/academy.js";
import { banner } from "../sample-data/banner.js";
import { staffUser } from "../sample-data/cast.js";
import { type Config, readConfig } from "../settings/config.js";
import { keepPlatformName } from "../settings/platform-name.js";
import { reachableHost } from "../settings/reachable-host.js";
import { untilStopped } from "./until-stopped.js";

const DAY_S = 86_400;

export function addCommand(program: Command): void {
  program
    .command("serve")
    .description("serve HTTP and gRPC, and run jobs")
    .option("--no-worker", "run no jobs: leave them to `worker` processes")
    .option("--sample-data", "load a sample academy, and print calls to try", false)
    .addHelpText(
      "after",
      `
Without DATABASE_URL it runs its own Postgres in DATA_DIR; nothing else is needed. On a new directory it creates the
database and the secrets. Other commands need an existing directory. SIGINT (Ctrl-C) and SIGTERM stop it within seconds,
after running calls and jobs have ended.`,
    )
    .action(async (options: { worker: boolean; sampleData: boolean }) => {
      const { PLATFORM_NAME: given } = process.env;
      const isSampleName = options.sampleData && !given;
      const config = readConfig(isSampleName ? { ...process.env, PLATFORM_NAME: academyName } : process.env);
      if (options.sampleData) refuseSampleDataIn(config);
      // Loaded while the database answers, and only here: `--help` lists this command and must stay fast.
      const doors = Promise.all([import("../serve.js"), import("../serve-ops.js")]);
      await untilStopped(config, "own", async (app, stopping) => {
        const [{ serve }, { serveOps }] = await doors;
        if (isSampleName) await keepPlatformName(config.dataDir, academyName);
        const serving = { ...(await serve(app)), adminPort: await serveOps(app) };
        app.log.info({ ...serving, publicUrl: app.publicUrl.get() }, "serving");
        const worker = options.worker ? (await import("../work.js")).work(app) : undefined;
        const sample = options.sampleData
          ? await (await import("./prepare-sample.js")).prepareSample(app, worker, stopping)
          : undefined;
        process.stdout.write(
          banner({
            publicUrl: app.publicUrl.get(),
            grpcAddress: `${reachableHost(config.host)}:${serving.grpcPort}`,
            signInLink: config.databaseUrl === undefined ? await newSignInLink(app) : undefined,
            docsUrl: config.apiDocs ? `${app.publicUrl.get()}/api/learning_credentials/v1/docs/` : undefined,
            ...whereKept(config),
            sample,
          }),
        );
        return worker;
      });
    });
}

/** Whoever sees this process's output has its data directory, too. */
async function newSignInLink({ database, publicUrl }: App): Promise<string> {
  const { createSignInLink } = await import("../sessions/sign-in-link.js");
  return createSignInLink(database.knex, publicUrl.get(), {
    username: staffUser.username,
    roles: ["admin"],
    organisations: [],
    lifetimeS: DAY_S,
  });
}

function whereKept({ databaseUrl, dataDir, s3, smtpUrl }: Config) {
  const kept = [
    ...(databaseUrl === undefined ? (["database"] as const) : []),
    ...(s3 ? [] : (["files"] as const)),
    ...(smtpUrl ? [] : (["mails"] as const)),
    ...(databaseUrl === undefined ? (["secrets"] as const) : []),
  ];
  return { dataDir: resolve(dataDir), kept, bucket: s3 && `bucket ${s3.bucket} at ${s3.endpoint}` };
}

/** Fictional learners with verifiable certificates must not mix with real ones. */
function refuseSampleDataIn({ databaseUrl }: Config): void {
  if (databaseUrl === undefined) return;
  throw new Problem(
    "failed-precondition",
    "--sample-data is for the embedded database, and DATABASE_URL is set: leave one of the two out. " +
      "(`npm start` asks for sample data; `node dist/src/main.js serve` does not.)",
  );
}
