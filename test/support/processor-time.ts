import { readFileSync } from "node:fs";

/** The processor time that the calling thread alone has used, in milliseconds. Only Linux tells. */
export function threadMs(): number {
  const [nanoseconds] = readFileSync("/proc/thread-self/schedstat", "utf8").split(" ");
  return Number(nanoseconds) / 1e6;
}

/** The processor time that this process has used since then, in milliseconds. A busy machine does not increase it. */
export function processorMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}
