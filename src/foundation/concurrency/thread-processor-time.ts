import { readFileSync, readlinkSync } from "node:fs";

/** The message that a thread sends when it is ready: the system's number of the thread, or 0. */
export interface ReadyThread {
  readonly thread: number;
}

/** Returns the ready message of the calling thread. Only Linux reports the processor time of threads. */
export function readyThread(): ReadyThread {
  if (process.platform !== "linux") return { thread: 0 };
  return { thread: Number(readlinkSync("/proc/thread-self").split("/").pop()) };
}

/** Ticks per second of Linux's processor times. */
const TICKS = 100;

/** Returns the processor time of a thread of this process in seconds; 0 if unknown. */
export function processorTimeOf(thread: number): number {
  if (thread === 0) return 0;
  try {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, "utf8");
    // The name is in parentheses and may contain spaces. utime and stime are the fields 14 and 15 (proc(5)).
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) / TICKS;
  } catch {
    return 0; // the thread has ended
  }
}
