import { readdirSync, readlinkSync } from "node:fs";
import { getPriority, setPriority } from "node:os";

/**
 * The niceness of what callers don't wait for. When cores are short, it gets a third of what others get, so that
 * callers don't feel a run. With less, the time limit of a document would be at risk on a crowded machine.
 */
const NICENESS = 5;

/** Lowers the priority of the calling thread. Only Linux has priorities of threads. */
export function lowerThread(): void {
  lower(() => [readlinkSync("/proc/thread-self").split("/").pop() ?? ""]);
}

/** Lowers the priority of this process, so that others on the machine answer first. */
export function lowerProcess(): void {
  lower(() => readdirSync("/proc/self/task"));
}

function lower(threads: () => readonly string[]): void {
  if (process.platform !== "linux") return;
  for (const thread of threads().map(Number)) {
    try {
      if (getPriority(thread) < NICENESS) setPriority(thread, NICENESS);
    } catch {} // a sandbox may forbid it; then threads are equal
  }
}
