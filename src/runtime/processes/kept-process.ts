import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Logger } from "pino";
import { type Repetition, repeat } from "#foundation/concurrency/repeat.js";
import type { FromChild } from "./messages.js";

type Counter = (...values: never[]) => void;

/** Time for the process to end before it is killed. */
const END_TIMEOUT_MS = 8_000;

/** Prevents core dumps when memory runs out, because they contain personal data. */
const WITHOUT_CORE_DUMP = 'ulimit -c 0; exec "$@"';

/**
 * Runs another process of this program with its own memory limit. Restarts it after a pause whenever it dies. Any
 * process can use this, including those of `serve --processes`.
 */
export function keepProcessRunning(options: {
  /** Name in the log. */
  readonly name: string;
  readonly args: readonly string[];
  /** Environment variables in addition to those of this process. */
  readonly env: Readonly<Record<string, string>>;
  /** Maximum size of the process's JavaScript heap. */
  readonly memoryMb: number;
  readonly pauseMs: number;
  readonly log: Logger;
  /** Counters that the process can increment by sending their name. */
  readonly counters: Readonly<Record<string, Counter>>;
}): Pick<Repetition, "stop"> {
  const { name, args, env, memoryMb, pauseMs, log, counters } = options;

  async function run(stopping: AbortSignal): Promise<void> {
    const [program = ""] = process.argv.slice(1);
    const node = [
      process.execPath,
      ...process.execArgv,
      `--max-old-space-size=${memoryMb}`,
      program,
      ...args,
    ];
    const child = spawn("/bin/sh", ["-c", WITHOUT_CORE_DUMP, "sh", ...node], {
      env: { ...process.env, ...env },
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    child.on("message", (message: FromChild) => {
      if (message.type !== "counted" || !Object.hasOwn(counters, message.name)) return;
      counters[message.name]?.(...(message.values as never[]));
    });
    const end = () => endChild(child);
    stopping.addEventListener("abort", end, { once: true });
    try {
      if (stopping.aborted) end();
      const [exitCode, signal] = await once(child, "exit");
      if (!stopping.aborted) log.error({ process: name, exitCode, signal }, "process died");
    } finally {
      stopping.removeEventListener("abort", end);
    }
  }

  return repeat({ name: `process ${name}`, pauseMs, log, work: run });
}

function endChild(child: ChildProcess): void {
  child.kill("SIGTERM");
  const late = setTimeout(() => child.kill("SIGKILL"), END_TIMEOUT_MS);
  child.once("exit", () => clearTimeout(late));
}
