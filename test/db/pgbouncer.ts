import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { access, chown, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { expect } from "vitest";
import { freePort } from "../support/free-port.js";

const PROGRAM = "/usr/sbin/pgbouncer";

/** The operating system's PgBouncer in front of a Postgres. */
export interface PgBouncer {
  readonly url: string;
  /** Returns the URL of the same database, through PgBouncer. */
  through(serverUrl: string): string;
  stop(): Promise<void>;
}

/** Returns whether PgBouncer is installed. Prints the reason if it isn't. */
export async function isPgBouncerInstalled(): Promise<boolean> {
  const isThere = await access(PROGRAM).then(
    () => true,
    () => false,
  );
  if (!isThere) console.warn(`skipped: PgBouncer, as there is no ${PROGRAM}`);
  expect(isThere || !process.env.CI).toBe(true);
  return isThere;
}

/** Returns the version as a number, for example 1.18. */
export async function versionOfPgBouncer(): Promise<number> {
  const { stdout } = await promisify(execFile)(PROGRAM, ["--version"]);
  return Number(/(\d+\.\d+)/.exec(stdout)?.[1]);
}

/**
 * Starts PgBouncer with the settings of Debian's package, except for the settings given here.
 * @param settings additional lines of the settings file
 */
export function startPgBouncer(
  url: string,
  mode: "session" | "transaction",
  settings = "",
): Promise<PgBouncer> {
  const { hostname, port, username, password } = new URL(url);
  const server = `host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}`;
  return start(
    url,
    (own) => `[databases]
* = ${server}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
${settings}
`,
  );
}

/** Starts PgBouncer with the file that is provided for operators, on different ports. */
export async function startGivenPgBouncer(url: string, settings: Record<string, string>): Promise<PgBouncer> {
  const { hostname, port } = new URL(url);
  const given = await readFile(new URL("../../.container/pgbouncer.ini", import.meta.url), "utf8");
  return start(url, (own) => {
    const replaced = { listen_addr: "127.0.0.1", listen_port: String(own), ...settings };
    return Object.entries(replaced).reduce(
      (file, [name, value]) => replaceOnce(file, new RegExp(`^${name} = .*$`, "m"), `${name} = ${value}`),
      replaceOnce(given, "host=127.0.0.1 port=5432", `host=${hostname} port=${port}`),
    );
  });
}

function replaceOnce(text: string, old: string | RegExp, now: string): string {
  const replaced = text.replace(old, now);
  if (replaced === text && !text.includes(now)) throw new Error(`the file has no ${old}`);
  return replaced;
}

async function start(url: string, fileOn: (port: number) => string): Promise<PgBouncer> {
  const { username, password } = new URL(url);
  const directory = await mkdtemp(join(tmpdir(), "learning-credentials-pgbouncer-"));
  const port = await freePort();
  const file = join(directory, "pgbouncer.ini");
  const roles = join(directory, "userlist.txt");
  await writeFile(file, fileOn(port));
  await writeFile(roles, `"${username}" "${decodeURIComponent(password)}"\n`);
  // PgBouncer refuses to run as root.
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  if (nobody.uid !== undefined)
    await Promise.all([directory, file, roles].map((path) => chown(path, 65_534, 65_534)));
  const bouncer = spawn(PROGRAM, [file], { cwd: directory, stdio: "ignore", ...nobody });
  const ended = once(bouncer, "exit");
  while (!(await answers(port))) {
    if (bouncer.exitCode !== null || bouncer.signalCode !== null)
      throw new Error(`PgBouncer has ended: see its configuration in ${file}`);
    await sleep(20);
  }
  const through = (serverUrl: string) => {
    const pooled = new URL(serverUrl);
    pooled.host = `127.0.0.1:${port}`;
    return pooled.href;
  };
  return {
    url: through(url),
    through,
    async stop() {
      bouncer.kill("SIGKILL");
      await ended;
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  const isThere = await once(socket, "connect").then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isThere;
}
