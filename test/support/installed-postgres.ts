import { type ExecFileOptions, execFile } from "node:child_process";
import { once } from "node:events";
import { chown, mkdtemp, readdir, rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Where Debian and Ubuntu keep the programs, by version. */
const INSTALLED = "/usr/lib/postgresql";

/** A PostgreSQL that the operating system has, with the programs of its version: the embedded one comes without them. */
export interface InstalledPostgres {
  /** Makes an empty database. @returns its URL */
  create(): Promise<string>;
  /** Copies a database as its operator does, with pg_dump and pg_restore. @returns the copy's URL */
  copy(url: string): Promise<string>;
  /** Starts a standby that follows. @returns what makes a URL lead to the same database on it */
  follow(): Promise<(url: string) => string>;
  stop(): Promise<void>;
}

/** Undefined, with a word, where there is none. */
export async function startInstalledPostgres(): Promise<InstalledPostgres | undefined> {
  const versions = await readdir(INSTALLED).catch(() => []);
  const version = versions.sort((a, b) => Number(a) - Number(b)).at(-1);
  if (version === undefined) {
    console.warn(`skipped: pg_dump and pg_restore, as there is no PostgreSQL in ${INSTALLED}`);
    return undefined;
  }
  const program = (name: string) => join(INSTALLED, version, "bin", name);
  const directory = await mkdtemp(join(tmpdir(), "learning-credentials-postgres-"));
  const as: ExecFileOptions = { cwd: directory };
  if (process.getuid?.() === 0) {
    as.uid = Number((await run("id", ["-u", "postgres"])).stdout);
    await chown(directory, as.uid, -1);
  }
  const started: string[] = [];
  async function start(data: string): Promise<number> {
    const port = await freePort();
    const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off`;
    await run(program("pg_ctl"), ["start", "-w", "-D", data, "-l", `${data}.log`, "-o", settings], as);
    started.push(data);
    return port;
  }
  const data = join(directory, "data");
  await run(program("initdb"), ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "-N"], as);
  const port = await start(data);
  const urlOf = (name: string) => `postgres://postgres@127.0.0.1:${port}/${name}`;
  let number = 0;
  async function create(): Promise<string> {
    number += 1;
    await run(program("createdb"), [`--maintenance-db=${urlOf("postgres")}`, `database_${number}`], as);
    return urlOf(`database_${number}`);
  }
  return {
    create,
    async copy(url) {
      const file = join(directory, "dump");
      await run(program("pg_dump"), ["--format=custom", `--file=${file}`, url], as);
      const copy = await create();
      await run(program("pg_restore"), ["--exit-on-error", `--dbname=${copy}`, file], as);
      return copy;
    },
    async follow() {
      const standby = join(directory, `standby_${started.length}`);
      await run(program("pg_basebackup"), ["-D", standby, "-R", "-c", "fast", "-d", urlOf("postgres")], as);
      const standbyPort = await start(standby);
      return (url) => {
        const followed = new URL(url);
        followed.port = String(standbyPort);
        return followed.href;
      };
    },
    async stop() {
      for (const each of started.reverse()) {
        await run(program("pg_ctl"), ["stop", "-m", "immediate", "-D", each], as);
      }
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** One that nobody listens on. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
