import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { stat } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { failedPrecondition, Problem } from "#foundation/errors.js";
import { scramVerifier } from "../scram-verifier.js";
import { type Binaries, embeddedBinaries } from "./binaries.js";
import { CLUSTER_ROLE, type DatabaseCluster, hasCluster, openCluster } from "./cluster.js";
import { findHome, type Home, openHome } from "./home.js";
import { currentOwner, type Ownership, takeOwnership, type Urls } from "./ownership.js";
import { type Postmaster, startPostmaster, stopOrphan } from "./postmaster.js";

const DATABASE = "learning_credentials";
const SERVICE_ROLE = "learning_credentials_service";

const SETTINGS = {
  cluster_name: "learning_credentials",
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  timezone: "UTC",
  log_timezone: "UTC",
  log_checkpoints: "off",
};

/** Temporary errors: another process is starting, or the last sessions of a killed server are still running. */
const TEMPORARY_ERROR = /could not bind|could not create any TCP\/IP sockets|is still in use/;
const MAX_ATTEMPTS = 20;
const PAUSE_MS = 250;

/** A running embedded Postgres. Its URLs lead to the database `learning_credentials`. */
interface EmbeddedPostgres extends Urls {
  /** Publishes the public URL of this process to processes that attach. */
  announce(publicUrl: string): Promise<void>;
  /** Ends all sessions and shuts the server down. */
  stop(): Promise<void>;
}

/** An embedded Postgres that another process runs. */
interface AttachedPostgres extends Urls {
  /** Public URL of that process; undefined until it listens. */
  readonly publicUrl: string | undefined;
}

interface EmbeddedPostgresOptions {
  dataDir: string;
  /** Receives the server's log, line by line. */
  log?: (line: string) => void;
  /** Server settings that override the settings of this service, for example `{ fsync: "off" }` in tests. */
  settings?: Record<string, string>;
  /** Called if the server ends unexpectedly. */
  onLost?: ((problem: Problem) => void) | undefined;
}

/**
 * Starts the Postgres of `dataDir`, creating it if needed. The server stops when this process ends, however it ends.
 * @throws Problem `failed-precondition` if another process runs on `dataDir`, or if this machine can't run Postgres
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  if (process.platform === "win32") {
    throw failedPrecondition("the embedded Postgres doesn't run on Windows: set DATABASE_URL, or use WSL");
  }
  return explained(options.dataDir, async () => {
    const home = await openHome(options.dataDir);
    const ownership = await takeOwnership(home.directory, options.dataDir);
    try {
      const server = await startServer(home, options, ownership);
      let stopped: Promise<void> | undefined;
      const stop = () => {
        stopped ??= server.stop().finally(ownership.release);
        return stopped;
      };
      const announce = (publicUrl: string) =>
        ownership.publish({ url: server.url, serviceUrl: server.serviceUrl }, publicUrl);
      return { ...server, announce, stop };
    } catch (error) {
      await ownership.release();
      throw error;
    }
  });
}

/** Returns the Postgres that another process runs on `dataDir`; undefined if there is none. */
export async function attachToEmbeddedPostgres(dataDir: string): Promise<AttachedPostgres | undefined> {
  return explained(dataDir, async () => {
    const home = await findHome(dataDir);
    const owner = home === undefined ? undefined : await currentOwner(home);
    return owner?.urls && { ...owner.urls, publicUrl: owner.publicUrl };
  });
}

/** Returns whether `dataDir` has a database, or a process that is creating one. */
export async function hasEmbeddedPostgres(dataDir: string): Promise<boolean> {
  return explained(dataDir, async () => {
    const home = await findHome(dataDir);
    return home !== undefined && ((await hasCluster(home)) || (await currentOwner(home)) !== undefined);
  });
}

async function startServer(
  home: Home,
  options: EmbeddedPostgresOptions,
  ownership: Ownership,
): Promise<Urls & Pick<EmbeddedPostgres, "stop">> {
  const binaries = await embeddedBinaries(home.account);
  const cluster = await openCluster(home, binaries);
  await stopOrphan(cluster.data);
  const startOn = (port: number) => startOnPort(port, { home, binaries, cluster, options });
  const { port, postmaster } = await startOnFreePort(startOn);
  // Without sslmode, the environment variable PGSSLMODE of the client would apply.
  const url = (role: string, password: string, database: string) =>
    `postgresql://${role}:${password}@127.0.0.1:${port}/${database}?sslmode=disable`;
  const servicePassword = randomBytes(24).toString("hex");
  const urls = {
    url: url(CLUSTER_ROLE, cluster.password, DATABASE),
    serviceUrl: url(SERVICE_ROLE, servicePassword, DATABASE),
  };
  try {
    await prepare(url(CLUSTER_ROLE, cluster.password, "postgres"), servicePassword);
    await ownership.publish(urls);
  } catch (error) {
    await postmaster.stop();
    throw error;
  }
  let isStopping = false;
  void postmaster.ended.then(async (lastLines) => {
    if (!isStopping) options.onLost?.(await explainLoss(cluster, options.dataDir, lastLines));
  });
  const stop = () => {
    isStopping = true;
    return postmaster.stop();
  };
  return { ...urls, stop };
}

async function explainLoss(
  { data }: DatabaseCluster,
  dataDir: string,
  lastLines: readonly string[],
): Promise<Problem> {
  const isGone = await stat(join(data, "PG_VERSION")).then(
    () => false,
    ({ code }) => code === "ENOENT" || code === "ENOTDIR",
  );
  if (isGone) {
    return failedPrecondition(
      `the embedded Postgres in ${dataDir} has ended, and its files are gone: restore ${data} from a backup, or begin with ` +
        "an empty DATA_DIR",
    );
  }
  // Only these lines are shown, because other lines may contain the bindings of a statement.
  const reasons = lastLines.filter((line) => /\b(FATAL|PANIC):/.test(line)).map((line) => `\n${line}`);
  return failedPrecondition(
    `the embedded Postgres in ${dataDir} has ended: start the service again, which recovers its data. If the disk is ` +
      `full, make room first${reasons.join("")}`,
  );
}

async function startOnFreePort(
  startOn: (port: number) => Promise<Postmaster>,
): Promise<{ port: number; postmaster: Postmaster }> {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    try {
      return { port, postmaster: await startOn(port) };
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !TEMPORARY_ERROR.test(String(error))) throw error;
      await setTimeout(PAUSE_MS);
    }
  }
}

function startOnPort(
  port: number,
  on: {
    home: Home;
    binaries: Binaries;
    cluster: DatabaseCluster;
    options: EmbeddedPostgresOptions;
  },
): Promise<Postmaster> {
  const { settings, log = () => {} } = on.options;
  return startPostmaster({
    postgres: on.binaries.postgres,
    data: on.cluster.data,
    account: on.home.account,
    settings: { ...SETTINGS, port: String(port), ...settings },
    log,
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/**
 * Creates the database and the service's role. Each start gives the role a new password, which only the owner file of
 * the home contains.
 */
async function prepare(maintenanceUrl: string, servicePassword: string): Promise<void> {
  const client = new pg.Client(maintenanceUrl);
  await client.connect();
  try {
    const { rowCount } = await client.query("select 1 from pg_database where datname = $1", [DATABASE]);
    if (rowCount === 0) await client.query(`create database ${DATABASE}`);
    const { rowCount: roles } = await client.query("select 1 from pg_roles where rolname = $1", [
      SERVICE_ROLE,
    ]);
    if (roles === 0) await client.query(`create role ${SERVICE_ROLE}`);
    await client.query(`alter role ${SERVICE_ROLE} login password '${scramVerifier(servicePassword)}'`);
  } finally {
    await client.end();
  }
}

/** Adds the data directory and the remedy to any error. */
async function explained<T>(dataDir: string, action: () => Promise<T>): Promise<T> {
  return action().catch((cause) => {
    if (cause instanceof Problem) throw cause;
    throw failedPrecondition(
      `the embedded Postgres in ${dataDir} can't be used: fix the problem below, set another DATA_DIR, ` +
        `or set DATABASE_URL to use another Postgres\n${cause.message.trim()}`,
      { cause },
    );
  });
}
