import { readFileSync } from "node:fs";

/**
 * For how many milliseconds, so far, the main thread of a process and this thread were ready to run and got no processor.
 * Taken off how long an answer took, it leaves what the service is to blame for, however busy the machine is. From Linux'
 * `schedstat`; elsewhere it is nothing.
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
