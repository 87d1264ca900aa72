import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { READ_SCOPE, WRITE_SCOPE } from "#infrastructure/identity/claims.js";
import { mintToken } from "#infrastructure/identity/mint-token.js";
import { startProgram, stopProgram } from "./program.js";
import type { Stage } from "./stage.js";

const JWT_SECRET = "a secret that only the bench knows";
const START_DEADLINE_MS = 120_000;

/** A service that runs as in production, with its log in a file. */
export interface Service {
  readonly httpPort: number;
  readonly grpcPort: number;
  readonly pid: number;
  /** Sends a message to a module that was loaded into the service with `flags`, and waits for the module's response. */
  report(message: object): Promise<void>;
}

/**
 * Starts the built service on the stage's database, in a separate process.
 * @param core "server" if the load of the figure runs on the other core. Figures that measure streams omit it, so that
 *   the kernel chooses the cores, because Postgres also needs one
 * @param jobs whether the service also runs jobs
 * @param settings in addition to the settings of every service in the bench
 * @param flags flags for Node.js
 */
export async function startService(
  stage: Stage,
  core?: "server",
  jobs = false,
  settings: Readonly<Record<string, string>> = {},
  flags: readonly string[] = [],
): Promise<Service> {
  const dataDir = await mkdtemp(join(tmpdir(), "learning-credentials-bench-service-"));
  stage.defer(() => rm(dataDir, { recursive: true }));
  const log = join(dataDir, "log");
  const program = launchService(stage, { core, jobs, dataDir, log: openSync(log, "w"), settings, flags });
  stage.defer(() => stopProgram(program));
  return {
    ...(await portsIn(log, () => program.exitCode !== null)),
    pid: program.pid as number,
    async report(message) {
      const answered = once(program, "message");
      program.send(message);
      await answered;
    },
  };
}

/** Starts the service without waiting until it accepts requests. */
export function launchService(
  { databaseUrl, profileDir }: Stage,
  options: {
    readonly core?: "server" | undefined;
    readonly jobs: boolean;
    readonly dataDir: string;
    /** File descriptor of the log. */
    readonly log: number;
    /** Default: a free port */
    readonly httpPort?: number;
    readonly settings?: Readonly<Record<string, string>>;
    readonly flags?: readonly string[];
  },
): ChildProcess {
  const { core, jobs, dataDir, log, httpPort = 0, settings, flags = [] } = options;
  return startProgram(join(import.meta.dirname, "../../dist/src/main.js"), {
    core,
    args: jobs ? ["serve"] : ["serve", "--no-worker"],
    flags: profileDir === undefined ? flags : [...flags, "--cpu-prof", `--cpu-prof-dir=${profileDir}`],
    env: {
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      HOST: "127.0.0.1",
      HTTP_PORT: String(httpPort),
      GRPC_PORT: "0",
      PUBLIC_URL: "https://credentials.test",
      PUBLIC_RATE_LIMIT: "10000000", // requests are counted, but never reach the limit
      ADMIN_PORT: "0", // without it, metrics are not counted
      URL_SIGNING_SECRET: "another secret that only the bench knows",
      AUTH_JWT_SECRET: JWT_SECRET,
      AUTH_JWT_ISSUER: "any",
      AUTH_JWT_AUDIENCE: "any",
      ...settings,
    },
    stderr: log,
  });
}

/** Signs a token of a learner or of the platform. */
export function tokenOf(username: string, isPlatform = false): Promise<string> {
  return mintToken({
    secret: JWT_SECRET,
    username,
    scopes: isPlatform ? [READ_SCOPE, WRITE_SCOPE] : [],
    expiresInSeconds: 3600,
  });
}

async function portsIn(log: string, hasEnded: () => boolean): Promise<Omit<Service, "pid" | "tell">> {
  for (const deadline = Date.now() + START_DEADLINE_MS; ; await sleep(50)) {
    const text = await readFile(log, "utf8");
    const line = text.split("\n").find((line) => line.includes('"msg":"serving"'));
    if (line !== undefined) return JSON.parse(line) as Service;
    if (hasEnded() || Date.now() > deadline) throw new Error(`The service does not serve:\n${text}`);
  }
}
