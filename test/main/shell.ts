import { type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

/** A shell that reads commands. Standard output and standard error are one stream, as in a terminal. */
export interface Shell {
  type(commands: string): void;
  /** Waits for output that matches the pattern, and consumes the output so far. */
  says(pattern: RegExp): Promise<string>;
  /** Signals the shell and all its processes, as a terminal does, and waits for its end. */
  end(signal: NodeJS.Signals): Promise<void>;
}

/** The time limit of a command. `npm ci` may need most of this time. */
const LIMIT_MS = 480_000;

export function openShell(options: SpawnOptions): Shell {
  const shell = spawn("sh", ["-c", "exec sh 2>&1"], { ...options, detached: true, stdio: "pipe" });
  const ended = once(shell, "close");
  let said = "";
  shell.stdout?.setEncoding("utf8").on("data", (text) => {
    said += text;
  });
  return {
    type: (commands) => void shell.stdin?.write(commands),
    async says(pattern) {
      for (const deadline = Date.now() + LIMIT_MS; !pattern.test(said); await sleep(20)) {
        const hasEnded = shell.exitCode !== null || shell.signalCode !== null;
        if (hasEnded || Date.now() > deadline) throw new Error(`it never said ${pattern}:\n${said}`);
      }
      const all = said;
      said = "";
      return all;
    },
    async end(signal) {
      if (shell.exitCode === null && shell.signalCode === null) process.kill(-Number(shell.pid), signal);
      await ended;
    },
  };
}
