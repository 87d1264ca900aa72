import { readFileSync } from "node:fs";

/**
 * The milliseconds that the main thread of a process and this thread have so far waited for a processor while ready to
 * run.
 * Subtracted from a response time, it leaves what the service itself took, however busy the machine is. The source is
 * Linux' `schedstat`; on other systems the result is 0.
 */
export function runDelayMs(pid: number | undefined): number {
  return delayOf(String(pid)) + delayOf("thread-self");
}

function delayOf(thread: string): number {
  try {
    return Number(readFileSync(`/proc/${thread}/schedstat`, "utf8").split(" ")[1]) / 1e6;
  } catch {
    return 0;
  }
}
