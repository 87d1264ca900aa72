import { once } from "node:events";
import { rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { Problem } from "../errors.js";
import { type Binaries, embeddedBinaries } from "./embedded-binaries.js";
import { CLUSTER_ROLE, type Cluster, openCluster } from "./embedded-cluster.js";
import { findHome, type Home, openHome } from "./embedded-home.js";
import { currentOwner, type Ownership, takeOwnership } from "./embedded-ownership.js";
import { startPostmaster, stopOrphan } from "./embedded-postmaster.js";

const DATABASE = "learning_credentials";

const SETTINGS = {
  cluster_name: "learning_credentials",
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  timezone: "UTC",
  log_timezone: "UTC",
  log_checkpoints: "off",
};

/** What another process's start, or the last sessions of a killed server, can be in the way of for a moment. */
const PASSING = /could not bind|could not create any TCP\/IP sockets|is still in use/;
const ATTEMPTS = 20;
const PAUSE_MS = 250;

/** A running embedded Postgres. */
export interface EmbeddedPostgres {
  /** Connection URL of the database `learning_credentials`, password included: not for logs. */
  readonly url: string;
  /** Ends all sessions and shuts the server down. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  dataDir: string;
  /** Gets the server's log, line by line. */
  log?: (line: string) => void;
  /** Settings of the server on top of ours, such as `{ fsync: "off" }` in tests. */
  settings?: Record<string, string>;
}

/**
 * Starts the Postgres that belongs to `dataDir` (made on first use) and stops it with this process, however that ends.
 *
 * @throws Problem `failed-precondition` when another process runs on `dataDir`, or when this machine can't run it
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  if (process.platform === "win32") {
    throw new Problem(
      "failed-precondition",
      "the embedded Postgres doesn't run on Windows: set DATABASE_URL, or use WSL",
    );
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
      return { url: server.url, stop };
    } catch (error) {
      await ownership.release();
      throw error;
    }
  });
}

/** The connection URL of the embedded Postgres that another process runs on `dataDir`; undefined when none runs. */
export async function attachToEmbeddedPostgres(dataDir: string): Promise<string | undefined> {
  return explained(dataDir, async () => {
    const home = await findHome(dataDir);
    return home && (await currentOwner(home))?.url;
  });
}

async function startServer(
  home: Home,
  options: EmbeddedPostgresOptions,
  ownership: Ownership,
): Promise<EmbeddedPostgres> {
  const binaries = await embeddedBinaries(home.account);
  const cluster = await openCluster(home, binaries);
  await stopOrphan(cluster.data);
  // Left by a server that was killed: Postgres would believe it if its pid were in use again.
  await rm(join(cluster.data, "postmaster.pid"), { force: true });
  const { port, postmaster } = await startOnFreePort(home, binaries, cluster, options);
  // Without sslmode a PGSSLMODE in the environment of a client would decide.
  const url = (database: string) =>
    `postgresql://${CLUSTER_ROLE}:${cluster.password}@127.0.0.1:${port}/${database}?sslmode=disable`;
  try {
    await createDatabase(url("postgres"));
    await ownership.publish(url(DATABASE));
  } catch (error) {
    await postmaster.stop();
    throw error;
  }
  return { url: url(DATABASE), stop: postmaster.stop };
}

async function startOnFreePort(
  { account }: Home,
  { postgres }: Binaries,
  { data }: Cluster,
  { settings, log = () => {} }: EmbeddedPostgresOptions,
) {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    try {
      const ours = { ...SETTINGS, port: String(port) };
      const postmaster = await startPostmaster({
        postgres,
        data,
        account,
        settings: { ...ours, ...settings },
        log,
      });
      return { port, postmaster };
    } catch (error) {
      if (attempt === ATTEMPTS || !PASSING.test(String(error))) throw error;
      await setTimeout(PAUSE_MS);
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

async function createDatabase(maintenanceUrl: string): Promise<void> {
  const client = new pg.Client(maintenanceUrl);
  await client.connect();
  try {
    const { rowCount } = await client.query("select 1 from pg_database where datname = $1", [DATABASE]);
    if (rowCount === 0) await client.query(`create database ${DATABASE}`);
  } finally {
    await client.end();
  }
}

/** Says of any failure which database it is about, and what to do. */
async function explained<T>(dataDir: string, action: () => Promise<T>): Promise<T> {
  return action().catch((cause) => {
    if (cause instanceof Problem) throw cause;
    throw new Problem(
      "failed-precondition",
      `the embedded Postgres in ${dataDir} can't be used: mend what is said below, set another DATA_DIR, ` +
        `or set DATABASE_URL to use another Postgres\n${cause.message.trim()}`,
      { cause },
    );
  });
}
