import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export const ROOT = resolve(import.meta.dirname, "../..");

type Settings = Readonly<Record<string, string>>;

/** What a command that has ended said. */
export interface Outcome {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A process of the program that is not expected to end by itself. */
export interface Running {
  readonly process: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** Waits until standard output matches. Standard input stays open. */
  says(pattern: RegExp): Promise<RegExpExecArray>;
  /** Sends the signal, to the whole process group as a terminal does, or to the process alone, and waits for the end. */
  end(signal: NodeJS.Signals, to?: "group" | "process"): Promise<Outcome>;
}

/** The command line as `npm run build` makes it, in a directory of its own. */
export interface Program {
  run(args: readonly string[], settings?: Settings, input?: string): Promise<Outcome>;
  start(args: readonly string[], settings?: Settings): Running;
  /** A directory that goes with the program. */
  scratch(name: string): string;
  remove(): Promise<void>;
}

const START_LIMIT_MS = 40_000;

/** Builds the program: started from its sources, each of the many processes would take twice as long. */
export async function buildProgram(): Promise<Program> {
  const directory = await mkdtemp(join(tmpdir(), "learning-credentials-main-"));
  await chmod(directory, 0o755); // as root, Postgres runs as another user
  const main = join(directory, "dist/src/main.js");
  // Types are the business of `npm run check`: what has errors is built nevertheless.
  const tsc = join(ROOT, "node_modules/.bin/tsc");
  const built = spawnSync(tsc, ["--project", join(ROOT, "src"), "--outDir", join(directory, "dist")]);
  if (!existsSync(main)) throw new Error(`the build failed:\n${built.stdout}${built.stderr}`);
  await symlink(join(ROOT, "node_modules"), join(directory, "node_modules"));
  await writeFile(join(directory, "package.json"), '{ "type": "module" }');
  const running = new Set<ChildProcess>();

  function launch(args: readonly string[], settings: Settings, options: SpawnOptions) {
    const child = spawn(process.execPath, [main, ...args], {
      cwd: directory,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...settings },
      ...options,
    });
    running.add(child);
    child.once("exit", () => running.delete(child));
    let stdout = "";
    let stderr = "";
    child.stdout?.setEncoding("utf8").on("data", (text) => {
      stdout += text;
    });
    child.stderr?.setEncoding("utf8").on("data", (text) => {
      stderr += text;
    });
    const ended = once(child, "close").then(() => ({ exitCode: child.exitCode, stdout, stderr }));
    return { child, stdout: () => stdout, stderr: () => stderr, ended };
  }

  return {
    async run(args, settings = {}, input) {
      const { child, ended } = launch(args, settings, {});
      child.stdin?.end(input);
      return ended;
    },

    start(args, settings = {}) {
      const { child, stdout, stderr, ended } = launch(args, settings, { detached: true });
      const pid = child.pid as number;
      return {
        process: child,
        stdout,
        stderr,
        async says(pattern) {
          for (const deadline = Date.now() + START_LIMIT_MS; Date.now() < deadline; await sleep(50)) {
            const match = pattern.exec(stdout());
            if (match) return match;
            if (child.exitCode !== null || child.signalCode !== null) break;
          }
          throw new Error(`it never said ${pattern}:\n${stdout()}\n${stderr()}`);
        },
        end(signal, to = "process") {
          process.kill(to === "group" ? -pid : pid, signal);
          return ended;
        },
      };
    },

    scratch: (name) => join(directory, name),

    async remove() {
      for (const child of running) child.kill("SIGKILL");
      await rm(directory, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
