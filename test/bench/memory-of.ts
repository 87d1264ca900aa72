import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The resident memory of a process, in MB (a million bytes). */
export async function memoryOf(pid: number): Promise<number> {
  const { stdout } = await run("ps", ["-o", "rss=", "-p", String(pid)]); // The output is in KiB.
  return (Number(stdout) * 1024) / 1e6;
}
