import { readdirSync, readlinkSync } from "node:fs";
import { getPriority, setPriority } from "node:os";

/**
 * Niceness of work for which no caller waits. On a busy machine, such work gets a third of the processor time of other
 * threads. With a higher niceness, documents could exceed their time limit.
 */
const NICENESS = 5;

/** Lowers the priority of the current thread. Has an effect only on Linux. */
export function lowerThread(): void {
  lower(() => [readlinkSync("/proc/thread-self").split("/").pop() ?? ""]);
}

/** Lowers the priority of all threads of the process. Has an effect only on Linux. */
export function lowerProcess(): void {
  lower(() => readdirSync("/proc/self/task"));
}

function lower(threads: () => readonly string[]): void {
  if (process.platform !== "linux") return;
  for (const thread of threads().map(Number)) {
    try {
      if (getPriority(thread) < NICENESS) setPriority(thread, NICENESS);
    } catch {} // if a sandbox forbids this, the priority stays unchanged
  }
}
