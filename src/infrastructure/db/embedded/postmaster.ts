import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, readlink, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { failedPrecondition } from "#foundation/errors.js";
import { type Account, as } from "./account.js";

const run = promisify(execFile);

const POLL_MS = 20;

/**
 * Runs the server in its own session, so that a Ctrl-C for this process doesn't reach it. A shell next to the server
 * reads a pipe from this process. When this process ends, even by kill -9, the pipe ends, and the shell stops the
 * server. The shell is forked twice, so that it is not a child of the server. The server would treat the end of an
 * unknown child as a crash.
 */
const GUARD_COMMAND = '((read -r _ <&3; kill -INT $$) >/dev/null 2>&1 &); exec "$@" 3<&-';

export interface Postmaster {
  /** Resolves with the last lines of the log when the server has ended, for whatever reason. */
  readonly ended: Promise<readonly string[]>;
  stop(): Promise<void>;
}

/** Resolves when the server on the cluster in `data` accepts connections. */
export async function startPostmaster(options: {
  postgres: string;
  data: string;
  account: Account | undefined;
  settings: Record<string, string>;
  log: (line: string) => void;
}): Promise<Postmaster> {
  const { postgres, data, account, settings, log } = options;
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const child = spawn("/bin/sh", ["-c", GUARD_COMMAND, "sh", postgres, "-D", data, ...flags], {
    ...as(account),
    detached: true,
    stdio: ["ignore", "ignore", "pipe", "pipe"],
  });
  const ended = once(child, "exit").then(() => {
    child.stdio[3]?.destroy();
    return lastLines;
  });
  const lastLines = followLog(child, log);
  await once(child, "spawn");
  const pid = child.pid as number;
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  const stop = () => shutDown(pid, data, isRunning);
  while (isRunning()) {
    const running = await runningPostmaster(data);
    if (running?.pid === pid && running.isReady) return { ended, stop };
    await setTimeout(POLL_MS);
  }
  throw new Error(`Postgres ended before it was ready:\n${lastLines.join("\n")}`);
}

/**
 * Prepares the cluster `data` for a server. Stops a server that another process left running. Removes the lock file of
 * a killed server, because Postgres would trust this file if another process now has the same pid.
 */
export async function stopOrphan(data: string): Promise<void> {
  const orphan = await runningPostmaster(data);
  if (orphan) await shutDown(orphan.pid, data, () => servesCluster(orphan.pid, data));
  await rm(join(data, "postmaster.pid"), { force: true });
}

/** Returns the server that runs on the cluster; undefined if the cluster's lock file is absent or stale. */
async function runningPostmaster(data: string): Promise<{ pid: number; isReady: boolean } | undefined> {
  // Lines of postmaster.pid: 1 is the pid, 8 the status (src/include/utils/pidfile.h).
  const lines = (await readFile(join(data, "postmaster.pid"), "utf8").catch(() => "")).split("\n");
  const pid = Number(lines[0]);
  if (!(pid > 0) || !(await servesCluster(pid, data))) return undefined;
  return { pid, isReady: lines[7]?.trim() === "ready" };
}

/** Ends all sessions and the server. After half a minute, the server is killed, and recovers at its next start. */
async function shutDown(
  pid: number,
  data: string,
  isRunning: () => boolean | Promise<boolean>,
): Promise<void> {
  const shutdownSignals = [
    ["SIGINT", 30_000],
    ["SIGQUIT", 10_000],
  ] as const;
  for (const [signal, limitMs] of shutdownSignals) {
    if (await isRunning()) process.kill(pid, signal);
    const deadline = Date.now() + limitMs;
    while (Date.now() < deadline) {
      if (!(await isRunning())) return;
      await setTimeout(POLL_MS);
    }
  }
  throw failedPrecondition(`the Postgres in ${data} (process ${pid}) does not stop: end it by hand`);
}

/** Returns whether the process is the server of the cluster, and not a later process with the same pid. */
async function servesCluster(pid: number, data: string): Promise<boolean> {
  if (process.platform === "linux") {
    // A server's working directory is its cluster.
    return readlink(`/proc/${pid}/cwd`).then(
      async (cwd) => cwd === (await realpath(data)),
      () => false,
    );
  }
  return run("ps", ["-ww", "-o", "args=", "-p", String(pid)]).then(
    ({ stdout }) => stdout.includes(data),
    () => false,
  );
}

/** Collects the last lines of the log, which explain why the server ended. */
function followLog(child: ChildProcess, log: (line: string) => void): string[] {
  const lastLines: string[] = [];
  if (!child.stderr) return lastLines;
  createInterface({ input: child.stderr }).on("line", (line) => {
    log(line);
    lastLines.push(line);
    if (lastLines.length > 20) lastLines.shift();
  });
  return lastLines;
}
