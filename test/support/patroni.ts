import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import { chown, copyFile, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, vi } from "vitest";
import { ROOT } from "../main/program.js";
import { rowsOf } from "./database.js";
import { freePort } from "./free-port.js";
import { startHaproxy, whyNoHaproxy } from "./haproxy.js";
import { killPostgres } from "./installed-postgres.js";

const INSTALLED = "/usr/lib/postgresql";
const PASSWORD = "only-for-tests";
const PATIENCE = { timeout: 180_000, interval: 100 };

/** A server of the cluster, with its Patroni. */
export interface Node {
  readonly name: string;
  /** URL of the service's database on this server alone. */
  readonly url: string;
  /** Whether the server holds the lease and accepts changes. */
  leads(): Promise<boolean>;
  start(): void;
  /** Ends Patroni and PostgreSQL with SIGKILL, as if their machine were lost. */
  kill(): Promise<void>;
}

/**
 * PostgreSQL on two servers, with Patroni, etcd, and HAProxy in front of them. They are configured as in the files of
 * the repository.
 */
export interface Cluster {
  /** URL of the service's database, with the address that leads to the primary. */
  readonly url: string;
  readonly nodes: readonly Node[];
  leader(): Promise<Node>;
  /** Waits until the standby has every acknowledged change. */
  hasSynchronousStandby(): Promise<void>;
  /**
   * Makes the standby the primary, as an operator does before maintenance.
   * @returns the new primary
   */
  switchOver(): Promise<Node>;
  stop(): Promise<void>;
}

/** @returns why such a cluster can't run on this machine; undefined if it can */
export function whyNoCluster(): string | undefined {
  const lacking = ["patroni", "etcd"].filter((program) => spawnSync(program, ["--version"]).status !== 0);
  if (lacking.length > 0) return `not installed: ${lacking.join(", ")}: apt-get install patroni etcd-server`;
  return whyNoHaproxy();
}

export async function startCluster(): Promise<Cluster> {
  const directory = await mkdtemp(join(tmpdir(), "learning-credentials-patroni-"));
  const postgres = spawnSync("id", ["-u", "postgres"]);
  const uid = Number(postgres.stdout.toString());
  await chown(directory, uid, -1);
  const file = join(directory, "patroni.yml");
  await copyFile(join(ROOT, ".container/patroni.yml"), file);
  const version = (await readdir(INSTALLED)).sort((a, b) => Number(a) - Number(b)).at(-1) ?? "";
  const running = new Set<ChildProcess>();

  /** Starts a program as the user of PostgreSQL. Its output is stored next to its data. */
  function launch(program: string, args: readonly string[], log: string, env: Record<string, string>) {
    const out = openSync(join(directory, `${log}.log`), "a");
    const child = spawn(program, args, {
      cwd: directory,
      uid,
      env: { PATH: process.env.PATH, ...env },
      stdio: ["ignore", out, out],
    });
    running.add(child);
    child.once("exit", () => running.delete(child));
    return child;
  }

  const [etcdPort, peerPort] = [await freePort(), await freePort()];
  const [client, peer] = [`http://127.0.0.1:${etcdPort}`, `http://127.0.0.1:${peerPort}`];
  launch(
    "etcd",
    [
      ...["--data-dir", join(directory, "etcd"), "--initial-cluster", `default=${peer}`, "--unsafe-no-fsync"],
      ...["--listen-client-urls", client, "--advertise-client-urls", client],
      ...["--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer],
    ],
    "etcd",
    {},
  );
  const isHealthy = () =>
    fetch(`${client}/health`).then(
      ({ ok }) => ok,
      () => false,
    );

  const ports = new Map<string, number>();
  for (const port of ["5000", "5432", "5433", "8008", "8009"]) ports.set(port, await freePort());
  const at = (port: string) => `127.0.0.1:${ports.get(port)}`;
  const urlAt = (port: string) => `postgres://credentials:${PASSWORD}@${at(port)}/credentials`;

  function createNode(name: string, port: string, restPort: string): Node {
    const data = join(directory, name);
    let patroni: ChildProcess | undefined;
    return {
      name,
      url: urlAt(port),
      leads: () =>
        fetch(`http://${at(restPort)}/primary`).then(
          ({ status }) => status === 200,
          () => false,
        ),
      start() {
        patroni = launch("patroni", [file], `patroni-${name}`, {
          PATRONI_NAME: name,
          PATRONI_POSTGRESQL_LISTEN: at(port),
          PATRONI_POSTGRESQL_CONNECT_ADDRESS: at(port),
          PATRONI_POSTGRESQL_DATA_DIR: data,
          PATRONI_POSTGRESQL_BIN_DIR: join(INSTALLED, version, "bin"),
          PATRONI_POSTGRESQL_PGPASS: join(directory, `${name}.pgpass`),
          PATRONI_RESTAPI_LISTEN: at(restPort),
          PATRONI_RESTAPI_CONNECT_ADDRESS: at(restPort),
          PATRONI_ETCD3_HOSTS: `127.0.0.1:${etcdPort}`,
          PATRONI_SUPERUSER_PASSWORD: PASSWORD,
          PATRONI_REPLICATION_PASSWORD: PASSWORD,
        });
      },
      async kill() {
        if (patroni && running.has(patroni)) {
          const ended = once(patroni, "exit");
          patroni.kill("SIGKILL");
          await ended;
        }
        await killPostgres(data);
      },
    };
  }
  const nodes = [createNode("one", "5432", "8008"), createNode("two", "5433", "8009")];
  const stopHaproxy = await startHaproxy("haproxy-postgres.cfg", ports);

  async function leader(): Promise<Node> {
    for (;;) {
      for (const node of nodes) if (await node.leads()) return node;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  /** Returns the servers as reported by Patroni. */
  async function members(): Promise<{ name: string; role: string; state: string }[]> {
    for (const port of ["8008", "8009"]) {
      const answer = await fetch(`http://${at(port)}/cluster`).catch(() => undefined);
      if (answer?.ok) return ((await answer.json()) as { members: [] }).members;
    }
    return [];
  }
  async function hasSynchronousStandby(): Promise<void> {
    const roles = async () => (await members()).map(({ role }) => role).sort();
    await vi.waitUntil(async () => `${await roles()}` === "leader,sync_standby", PATIENCE);
  }

  async function begin(): Promise<void> {
    await vi.waitUntil(isHealthy, PATIENCE);
    nodes[0]?.start();
    await vi.waitUntil(() => nodes[0]?.leads(), PATIENCE);
    nodes[1]?.start();
    const admin = `postgres://postgres:${PASSWORD}@${at("5000")}/postgres`;
    const answers = () =>
      rowsOf(admin, "select 1").then(
        () => true,
        () => false,
      );
    await vi.waitUntil(answers, PATIENCE);
    await rowsOf(admin, `create role credentials login password '${PASSWORD}'`);
    await rowsOf(admin, "create database credentials owner credentials");
    await hasSynchronousStandby();
  }

  const cluster: Cluster = {
    url: urlAt("5000"),
    nodes,
    leader,
    hasSynchronousStandby,
    async switchOver() {
      const old = await leader();
      const port = old === nodes[0] ? "8008" : "8009";
      const answer = await fetch(`http://${at(port)}/switchover`, {
        method: "POST",
        headers: { authorization: "", "content-type": "application/json" },
        body: JSON.stringify({ leader: old.name }),
      });
      expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining("Successfully")]);
      return leader();
    },
    async stop() {
      await stopHaproxy();
      for (const node of nodes) await node.kill().catch(() => {});
      for (const child of running) {
        const ended = once(child, "exit");
        child.kill("SIGKILL");
        await ended;
      }
      if (process.env.KEEP_LOGS) {
        for (const name of (await readdir(directory)).filter((each) => each.endsWith(".log"))) {
          console.info(`${name}:\n${(await readFile(join(directory, name), "utf8")).slice(-20_000)}`);
        }
      }
      await rm(directory, { recursive: true, force: true });
    },
  };
  try {
    await begin();
    return cluster;
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}
