import { readFileSync } from "node:fs";

/**
 * Returns the milliseconds that the main thread of a process and this thread have so far waited for a processor while
 * they were ready to run.
 * Tests subtract this delay from a response time. The difference is the time that the service itself took, however busy
 * the machine is. The source is Linux's `schedstat`; on other systems the result is 0.
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
