import { readdirSync, readlinkSync } from "node:fs";
import { getPriority, setPriority } from "node:os";

/**
 * Niceness of work that no caller waits for. On a busy machine it gets a third of the processor time of other threads,
 * so that callers don't notice it. With a higher value, documents could exceed their time limit.
 */
const NICENESS = 5;

/** Lowers the priority of the calling thread. Only Linux supports this. */
export function lowerThread(): void {
  lower(() => [readlinkSync("/proc/thread-self").split("/").pop() ?? ""]);
}

/** Lowers the priority of this process in favour of others on the machine. Only Linux supports this. */
export function lowerProcess(): void {
  lower(() => readdirSync("/proc/self/task"));
}

function lower(threads: () => readonly string[]): void {
  if (process.platform !== "linux") return;
  for (const thread of threads().map(Number)) {
    try {
      if (getPriority(thread) < NICENESS) setPriority(thread, NICENESS);
    } catch {} // a sandbox may forbid it; the priority is then unchanged
  }
}
