import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, cp, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { compile } from "../support/compile.js";
import { given } from "../support/given.js";

export const ROOT = resolve(import.meta.dirname, "../..");

type Settings = Readonly<Record<string, string>>;

/** The exit code and the output of a command that has ended. */
export interface Outcome {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A process of the program, which runs until it is ended. */
export interface Running {
  readonly process: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** Waits until standard output matches. Standard input stays open. */
  says(pattern: RegExp): Promise<RegExpExecArray>;
  /** Signals the process, or its whole process group as a terminal does, and waits for the end. */
  end(signal: NodeJS.Signals, to?: "group" | "process"): Promise<Outcome>;
}

/** Runs commands of the program. */
export interface Commands {
  run(args: readonly string[], settings?: Settings, input?: string): Promise<Outcome>;
  start(args: readonly string[], settings?: Settings): Running;
}

/** The output of `npm run build`, in a directory of its own. */
export interface Program extends Commands {
  /** Runs the same commands with the Node at this path. */
  on(node: string): Commands;
  /** Returns a directory that is removed with the program. */
  scratch(name: string): string;
  remove(): Promise<void>;
}

const START_LIMIT_MS = 90_000;

/** Builds the program for the tests of a file. */
export const givenProgram = () => given(buildProgram, (program) => program.remove());

/**
 * Builds the program. The tests start many processes, and each would take twice as long to start from the sources.
 * @param source the directory with its sources. The packages are those of this tree
 */
export async function buildProgram(source = ROOT): Promise<Program> {
  const directory = await mkdtemp(join(tmpdir(), "learning-credentials-main-"));
  await chmod(directory, 0o755); // If the test runs as root, Postgres runs as another user.
  const main = join(directory, "dist/src/main.js");
  const { BUILT_SOURCES } = process.env;
  if (source === ROOT && BUILT_SOURCES !== undefined) {
    await cp(join(BUILT_SOURCES, "dist"), join(directory, "dist"), { recursive: true });
  } else compile(source, join(directory, "dist"));
  await symlink(join(ROOT, "node_modules"), join(directory, "node_modules"));
  await cp(join(source, "package.json"), join(directory, "package.json"));
  const running = new Set<ChildProcess>();

  function launch(node: string, args: readonly string[], settings: Settings, options: SpawnOptions) {
    const child = spawn(node, [main, ...args], {
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

  const commandsOn = (node: string): Commands => ({
    async run(args, settings = {}, input) {
      const { child, ended } = launch(node, args, settings, {});
      child.stdin?.end(input);
      return ended;
    },

    start(args, settings = {}) {
      const { child, stdout, stderr, ended } = launch(node, args, settings, { detached: true });
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
  });

  return {
    ...commandsOn(process.execPath),
    on: commandsOn,
    scratch: (name) => join(directory, name),

    async remove() {
      for (const child of running) child.kill("SIGKILL");
      await rm(directory, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
