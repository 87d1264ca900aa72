import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { BUILT_MAIN } from "../support/built-main.js";
import type { TestService } from "../support/service.js";
import { SETTINGS } from "../support/service.js";

/** The exit code and the output of a command that has ended. */
export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Starts a command on the database and files of a test service. */
export function startCommand(
  { app }: TestService,
  args: readonly string[],
  cwd = app.config.dataDir,
): ChildProcessWithoutNullStreams {
  const { dataDir } = app.config;
  return startOn({ DATABASE_URL: app.database.url, DATA_DIR: dataDir, LOG_LEVEL: "trace" }, args, cwd);
}

/** Returns the environment of a command: these settings, and the variables that every command needs. */
export function environmentOf(settings: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    ...SETTINGS,
    LOG_LEVEL: "silent",
    ...settings,
  };
}

/** Starts a command on a database. It logs nothing unless the settings say otherwise. */
export function startOn(
  settings: { readonly DATABASE_URL: string; readonly DATA_DIR: string; readonly [name: string]: string },
  args: readonly string[],
  cwd = settings.DATA_DIR,
): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, [BUILT_MAIN, ...args], { cwd, env: environmentOf(settings) });
  child.stdin.on("error", () => {}); // the command may end before it has read all input
  return child;
}

export async function ended(child: ChildProcessWithoutNullStreams): Promise<Ended> {
  const [[code], out, err] = await Promise.all([
    once(child, "close"),
    text(child.stdout),
    text(child.stderr),
  ]);
  return { code, out, err };
}

/** Like `ended`, but also returns the peak memory of the process in MB. */
export async function endedWithPeak(
  child: ChildProcessWithoutNullStreams,
): Promise<Ended & { readonly megabytes: number }> {
  let megabytes = 0;
  const watching = setInterval(async () => {
    const status = await readFile(`/proc/${child.pid}/status`, "utf8").catch(() => "");
    const [, peak = 0] = /VmHWM:\s+(\d+) kB/.exec(status) ?? [];
    megabytes = Math.max(megabytes, Math.round(Number(peak) / 1024));
  }, 100);
  const all = await ended(child);
  clearInterval(watching);
  return { ...all, megabytes };
}
