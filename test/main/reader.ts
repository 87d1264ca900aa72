import { execFile, type SpawnOptions } from "node:child_process";
import { chmod, cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "./program.js";
import { openShell } from "./shell.js";

const run = promisify(execFile);

/** Entries of the working tree that a clone does not have. */
const NOT_CLONED = new Set([".git", ".data", "dist", "node_modules"]);

/**
 * Imitates a reader of the documents, who has a clone of this tree and pastes commands into two shells in its
 * directory.
 */
export interface Reader {
  /** The directory of the clone. */
  readonly directory: string;
  /**
   * Runs commands in the first shell. Variables and functions persist.
   * @returns their output, including standard error
   */
  paste(commands: string): Promise<string>;
  /**
   * Runs commands that don't end in the other shell, and waits until their output matches.
   * @returns the output so far
   */
  leaveRunning(commands: string, until: RegExp): Promise<string>;
  /** Presses Ctrl-C in the other shell. */
  interrupt(): Promise<void>;
  remove(): Promise<void>;
}

/**
 * @param who the user of this process, or an ordinary user if this process runs as root
 * @param settings environment variables
 */
export async function createReader(
  who: "self" | "nobody",
  settings: Record<string, string>,
): Promise<Reader> {
  const home = await mkdtemp(join(tmpdir(), "learning-credentials-reader-"));
  await chmod(home, 0o755); // If the test runs as root, Postgres runs as another user.
  const directory = join(home, "clone");
  await cp(ROOT, directory, {
    recursive: true,
    filter: (path) => !NOT_CLONED.has(relative(ROOT, path)) && !path.endsWith(".log"),
  });
  const env: Record<string, string | undefined> = {
    PATH: process.env.PATH,
    HOME: home,
    npm_config_registry: await npmSetting("registry"),
    npm_config_cache: await npmSetting("cache"),
    npm_config_prefer_offline: "true",
    ...settings,
  };
  const identity: SpawnOptions = {};
  if (who === "nobody") {
    // The reader shares the npm cache of this process, because the test doesn't check the registry.
    await run("cp", ["-r", join(env.npm_config_cache ?? "", "_cacache"), home]).catch(() => {});
    env.npm_config_cache = home;
    await run("chown", ["-R", who, home]);
    identity.uid = await numberOf("-u", who);
    identity.gid = await numberOf("-g", who);
  }
  const open = () => openShell({ cwd: directory, env, ...identity });
  const shell = open();
  const other = open();
  return {
    directory,
    async paste(commands) {
      const done = "-- that was all --\n";
      shell.type(`set -e\n{ :\n${commands}\n} </dev/null\necho '${done.trim()}'\n`);
      return (await shell.says(new RegExp(done))).replace(done, "");
    },
    async leaveRunning(commands, until) {
      other.type(`${commands}\n`);
      return other.says(until);
    },
    interrupt: () => other.end("SIGINT"),
    async remove() {
      await Promise.all([shell.end("SIGKILL"), other.end("SIGKILL")]);
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function npmSetting(name: string): Promise<string> {
  return (await run("npm", ["config", "get", name])).stdout.trim();
}

async function numberOf(flag: "-u" | "-g", user: string): Promise<number> {
  return Number((await run("id", [flag, user])).stdout);
}
