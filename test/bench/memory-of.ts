import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Returns the resident memory of a process in MB (a million bytes). */
export async function memoryOf(pid: number): Promise<number> {
  const { stdout } = await run("ps", ["-o", "rss=", "-p", String(pid)]); // in KiB
  return (Number(stdout) * 1024) / 1e6;
}

/**
 * Returns the highest resident memory of a process since its start, in MB. Needs Linux. `ru_maxrss` of a child is not
 * used, because it would include the memory of the parent.
 */
export async function peakMemoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "latin1");
  return (Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024) / 1e6;
}
