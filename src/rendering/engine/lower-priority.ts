import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";

/**
 * The niceness of a rendering thread. When cores are short, it gets a third of what others get, so that
 * callers don't feel a run. With less, the time limit of a document would be at risk on a crowded machine.
 */
const NICENESS = 5;

/** Lowers the priority of the calling thread. Only Linux has priorities of threads. */
export function lowerPriority(): void {
  if (process.platform !== "linux") return;
  try {
    const thread = Number(readlinkSync("/proc/thread-self").split("/").pop());
    setPriority(thread, NICENESS);
  } catch {} // a sandbox may forbid it; then threads are equal
}
