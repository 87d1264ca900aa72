import { readFileSync, readlinkSync } from "node:fs";

/** What a thread posts when it is ready: the number of the thread by which the system knows it, or 0. */
export interface ReadyThread {
  readonly thread: number;
}

/** Returns the message of the calling thread. Only Linux tells the processor time of a thread. */
export function readyThread(): ReadyThread {
  if (process.platform !== "linux") return { thread: 0 };
  return { thread: Number(readlinkSync("/proc/thread-self").split("/").pop()) };
}

/** Linux counts in hundredths of a second. */
const TICKS = 100;

/** Returns the processor time that a thread of this process has used, in seconds; 0 where it is unknown. */
export function processorTimeOf(thread: number): number {
  if (thread === 0) return 0;
  try {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, "utf8");
    // The name, in parentheses, may contain spaces. utime and stime are the fields 14 and 15 (proc(5)).
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) / TICKS;
  } catch {
    return 0; // it has ended
  }
}
