import { readFileSync } from "node:fs";

/** Returns the processor time that the calling thread has used, in milliseconds. Only Linux reports it. */
export function threadMs(): number {
  const [nanoseconds] = readFileSync("/proc/thread-self/schedstat", "utf8").split(" ");
  return Number(nanoseconds) / 1e6;
}

/**
 * Returns the processor time that this process has used since then, in milliseconds. Other processes don't increase it.
 */
export function processorMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}
