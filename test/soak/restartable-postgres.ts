import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { embeddedBinaries } from "#infrastructure/db/embedded/binaries.js";
import { CLUSTER_ROLE, openCluster } from "#infrastructure/db/embedded/cluster.js";
import { openHome } from "#infrastructure/db/embedded/home.js";
import { startPostmaster } from "#infrastructure/db/embedded/postmaster.js";
import { rowsOf } from "../support/database.js";
import { freePort } from "../support/free-port.js";

/** A Postgres server that keeps its address over restarts, unlike the embedded one. */
export interface RestartablePostgres {
  readonly url: string;
  /**
   * Stops the server for a while. Resolves when it accepts connections again.
   * @param how "fast" is an orderly stop. After "crash", the server recovers from its log
   */
  restart(how: "fast" | "crash", awayMs: number): Promise<void>;
  stop(): Promise<void>;
}

/** With these settings, acknowledged commits survive a crash of the server, but not of the machine. */
const SETTINGS = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  timezone: "UTC",
  fsync: "off",
  full_page_writes: "off",
};

export async function startRestartablePostgres(dataDir: string): Promise<RestartablePostgres> {
  const { account, ...home } = await openHome(dataDir);
  const binaries = await embeddedBinaries(account);
  const { data, password } = await openCluster({ account, ...home }, binaries);
  const port = await freePort();
  const url = (database: string) =>
    `postgresql://${CLUSTER_ROLE}:${password}@127.0.0.1:${port}/${database}?sslmode=disable`;
  const settings = { ...SETTINGS, port: String(port) };
  const start = () =>
    startPostmaster({ postgres: binaries.postgres, data, account, settings, log: () => {} });

  let postmaster = await start();
  await rowsOf(url("postgres"), "create database soak");

  async function crash(): Promise<void> {
    const file = join(data, "postmaster.pid");
    const pid = Number((await readFile(file, "utf8")).split("\n")[0]);
    process.kill(pid, "SIGQUIT");
    while (isRunning(pid)) await sleep(10);
  }

  return {
    url: url("soak"),
    async restart(how, awayMs) {
      await (how === "fast" ? postmaster.stop() : crash());
      await sleep(awayMs);
      postmaster = await start();
    },
    stop: () => postmaster.stop(),
  };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
