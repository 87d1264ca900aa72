import { type ExecFileOptions, execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { chown, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { freePort } from "./free-port.js";

const run = promisify(execFile);

/** Where Debian and Ubuntu install PostgreSQL, by version. */
const INSTALLED = "/usr/lib/postgresql";

/** A PostgreSQL of the operating system. It has the client programs that the embedded PostgreSQL lacks. */
export interface InstalledPostgres {
  /** URL of the database `postgres`. */
  readonly url: string;
  /**
   * Creates an empty database.
   * @returns its URL
   */
  create(): Promise<string>;
  /**
   * Copies a database as an operator does, with pg_dump and pg_restore.
   * @returns the URL of the copy
   */
  copy(url: string): Promise<string>;
  /**
   * Dumps a database.
   * @returns the path of the dump
   */
  dump(url: string): Promise<string>;
  /**
   * Dumps a database.
   * @returns the dump, as SQL
   */
  dumpAsSql(url: string): Promise<string>;
  /** Replaces the contents of another database with a dump, as described in .docs/upgrade-and-backup.md. */
  replace(url: string, dump: string): Promise<void>;
  /** Starts a standby with this name, which `synchronous_standby_names` may list. */
  follow(name?: string): Promise<Standby>;
  /** Stops all processes of the server with SIGSTOP. The server then accepts connections, but answers nothing. */
  freeze(): Promise<number>;
  /** Continues the processes after `freeze`. */
  thaw(): Promise<number>;
  /** Ends all processes of the server with SIGKILL. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** A standby that follows another server by streaming replication. */
export interface Standby {
  /** @returns the URL of the same database on the standby */
  urlOf(url: string): string;
  /** Ends all processes of the standby with SIGKILL. */
  kill(): Promise<void>;
  /** Starts the standby again after a kill, at the same address. */
  restart(): Promise<void>;
  /** Makes the standby a primary with a new timeline. */
  promote(): Promise<void>;
}

/**
 * Starts a server. Returns undefined, and prints the reason, if no PostgreSQL is installed.
 * @param options.where parent directory of the server's files
 * @param options.settings settings for `postgresql.conf` that override those of tests
 */
export async function startInstalledPostgres({
  where = tmpdir(),
  settings: others = {},
}: {
  where?: string;
  settings?: Record<string, string>;
} = {}): Promise<InstalledPostgres | undefined> {
  const versions = await readdir(INSTALLED).catch(() => []);
  const version = versions.sort((a, b) => Number(a) - Number(b)).at(-1);
  if (version === undefined) {
    console.warn(`skipped: a PostgreSQL with its programs, as there is no PostgreSQL in ${INSTALLED}`);
    return undefined;
  }
  const program = (name: string) => join(INSTALLED, version, "bin", name);
  const directory = await mkdtemp(join(where, "learning-credentials-postgres-"));
  const as: ExecFileOptions = { cwd: directory };
  if (process.getuid?.() === 0) {
    as.uid = Number((await run("id", ["-u", "postgres"])).stdout);
    await chown(directory, as.uid, -1);
  }
  const started = new Set<string>();
  async function start(data: string, port: number): Promise<void> {
    const settings = {
      port: String(port),
      listen_addresses: "127.0.0.1",
      unix_socket_directories: "",
      fsync: "off",
      ...others,
    };
    const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
    await run(
      program("pg_ctl"),
      ["start", "-w", "-D", data, "-l", `${data}.log`, "-o", options.join(" ")],
      as,
    );
    started.add(data);
  }
  const data = join(directory, "data");
  await run(
    program("initdb"),
    ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "-N"],
    as,
  );
  const port = await freePort();
  await start(data, port);
  const urlOf = (name: string) => `postgres://postgres:any@127.0.0.1:${port}/${name}`;
  let number = 0;
  async function create(): Promise<string> {
    number += 1;
    await run(program("createdb"), [`--maintenance-db=${urlOf("postgres")}`, `database_${number}`], as);
    return urlOf(`database_${number}`);
  }
  async function dump(url: string): Promise<string> {
    const file = join(directory, `dump_${randomUUID()}`);
    await run(program("pg_dump"), ["--format=custom", `--file=${file}`, url], as);
    return file;
  }
  return {
    url: urlOf("postgres"),
    create,
    dump,
    dumpAsSql: async (url) =>
      (await run(program("pg_dump"), ["--inserts", url], { ...as, maxBuffer: 1e9 })).stdout.toString(),
    async replace(url, file) {
      const empty = ["drop schema public cascade", "create schema public"];
      await run(program("psql"), ["--single-transaction", ...empty.flatMap((sql) => ["-c", sql]), url], as);
      const options = ["--no-owner", "--no-acl", "--single-transaction"];
      await run(program("pg_restore"), [...options, `--dbname=${url}`, file], as);
    },
    async copy(url) {
      const file = await dump(url);
      const copy = await create();
      await run(program("pg_restore"), ["--exit-on-error", `--dbname=${copy}`, file], as);
      return copy;
    },
    async follow(name = "standby") {
      const standby = join(directory, `standby_${started.size}`);
      const primary = new URL(urlOf("postgres"));
      primary.searchParams.set("application_name", name);
      await run(program("pg_basebackup"), ["-D", standby, "-R", "-c", "fast", "-d", primary.href], as);
      const standbyPort = await freePort();
      await start(standby, standbyPort);
      return {
        urlOf(url) {
          const followed = new URL(url);
          followed.port = String(standbyPort);
          return followed.href;
        },
        async kill() {
          started.delete(standby);
          await killPostgres(standby);
        },
        restart: () => start(standby, standbyPort),
        promote: async () => void (await run(program("pg_ctl"), ["promote", "-w", "-D", standby], as)),
      };
    },
    freeze: () => signalPostgres(data, "SIGSTOP"),
    thaw: () => signalPostgres(data, "SIGCONT"),
    async kill() {
      started.delete(data);
      await killPostgres(data);
    },
    async stop() {
      for (const each of [...started].reverse()) {
        await run(program("pg_ctl"), ["stop", "-m", "immediate", "-D", each], as);
      }
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Kills the server of this data directory and its children, as if the machine were lost. */
export async function killPostgres(data: string): Promise<void> {
  const pid = await signalPostgres(data, "SIGKILL");
  while (isRunning(pid)) await sleep(10);
}

/**
 * Sends a signal to the server of this data directory and to its children.
 * @returns the server's process id
 */
async function signalPostgres(data: string, signal: NodeJS.Signals): Promise<number> {
  const [line = ""] = (await readFile(join(data, "postmaster.pid"), "utf8")).split("\n");
  const pid = Number(line);
  if (signal === "SIGSTOP") process.kill(pid, signal); // the server then starts no more children
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, "utf8"))
    .trim()
    .split(" ")
    .map(Number);
  for (const each of [pid, ...children]) process.kill(each, signal);
  return pid;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
