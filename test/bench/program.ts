import { type ChildProcess, fork, spawnSync } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { Stage } from "./stage.js";

/** Servers and loads run on separate cores if there are two. */
const CORES = { server: "0", load: "1" };

const canPin = availableParallelism() > 1 && spawnSync("taskset", ["--version"]).status === 0;

export interface ProgramOptions {
  /** Default: any core */
  readonly core?: keyof typeof CORES | undefined;
  readonly args?: readonly string[];
  readonly env?: Record<string, string>;
  /** Flags for Node.js. */
  readonly flags?: readonly string[];
  /** File descriptor that receives the program's standard error. */
  readonly stderr?: number;
}

export function startProgram(path: string, options: ProgramOptions): ChildProcess {
  const { core, args = [], env, flags = [], stderr = "inherit" } = options;
  const execArgv = [...flags, ...(path.endsWith(".ts") ? ["--import", "tsx"] : [])];
  return fork(path, args, {
    ...(canPin && core
      ? { execPath: "taskset", execArgv: ["-c", CORES[core], process.execPath, ...execArgv] }
      : { execArgv }),
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", stderr, "ipc"],
  });
}

/** A server that a load can call. */
export interface Listening {
  readonly port: number;
  readonly pid: number;
}

/**
 * Starts a server from `baselines/`. The server reports the port on which it listens.
 * @param env additional environment variables
 */
export async function startBaseline(
  stage: Stage,
  name: string,
  env?: Record<string, string>,
): Promise<Listening> {
  const program = startProgram(join(import.meta.dirname, "baselines", name), {
    core: "server",
    env: { DATABASE_URL: stage.databaseUrl, ...env },
  });
  stage.defer(() => stopProgram(program));
  const { port } = await answerOf<{ port: number }>(program);
  return { port, pid: program.pid as number };
}

/**
 * Runs a program from `load/` with a job.
 * @returns the result that the program reports
 */
export async function runLoad<Answer>(name: string, job: object): Promise<Answer> {
  const program = startProgram(join(import.meta.dirname, "load", name), { core: "load" });
  program.send(job);
  const answer = await answerOf<Answer>(program);
  await stopProgram(program);
  return answer;
}

export async function stopProgram(program: ChildProcess): Promise<void> {
  if (program.exitCode !== null || program.signalCode !== null) return;
  const exited = once(program, "exit");
  program.kill("SIGTERM");
  await exited;
}

/** Waits for the next message of a program. */
function answerOf<Answer>(program: ChildProcess): Promise<Answer> {
  return new Promise((resolve, reject) => {
    program.once("message", (answer) => resolve(answer as Answer));
    program.once("error", reject);
    program.once("exit", (code) => reject(new Error(`${program.spawnargs.join(" ")} ended with ${code}`)));
  });
}
