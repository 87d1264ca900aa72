import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Logger } from "pino";
import { type Repetition, repeat } from "#foundation/concurrency/repeat.js";
import type { FromChild } from "./messages.js";

type Counter = (...values: never[]) => void;

/** Time for it to end by itself, in milliseconds. */
const END_PATIENCE_MS = 8_000;

/** Running out of memory writes no core dump: personal data would be in it. */
const WITHOUT_CORE_DUMP = 'ulimit -c 0; exec "$@"';

/**
 * Keeps a process of this program running beside this one, with a limit of memory of its own. It is started again after a
 * pause whenever it has died. It may be started from any process, also from one of `serve --processes`.
 */
export function keepProcess(options: {
  /** How the log names it. */
  readonly name: string;
  readonly args: readonly string[];
  /** Variables on top of those of this process. */
  readonly env: Readonly<Record<string, string>>;
  /** Size of its JavaScript heap. */
  readonly memoryMb: number;
  readonly pauseMs: number;
  readonly log: Logger;
  /** What it may count here, by name. */
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
      if (!stopping.aborted) log.error({ process: name, exitCode, signal }, "a process has died");
    } finally {
      stopping.removeEventListener("abort", end);
    }
  }

  return repeat({ name: `the process ${name}`, pauseMs, log, work: run });
}

function endChild(child: ChildProcess): void {
  child.kill("SIGTERM");
  const late = setTimeout(() => child.kill("SIGKILL"), END_PATIENCE_MS);
  child.once("exit", () => clearTimeout(late));
}
