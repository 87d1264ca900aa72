import { readFileSync, readlinkSync } from "node:fs";

/** Sent by a thread when it is ready: the operating system's id of the thread, or 0 if unknown. */
export interface ReadyThread {
  readonly thread: number;
}

/** Returns the message of the current thread. Only Linux reports the processor time of threads. */
export function readyThread(): ReadyThread {
  if (process.platform !== "linux") return { thread: 0 };
  return { thread: Number(readlinkSync("/proc/thread-self").split("/").pop()) };
}

/** Ticks per second in the processor times of Linux. */
const TICKS = 100;

/** Returns the processor time of a thread of this process in seconds; 0 if unknown. */
export function processorTimeOf(thread: number): number {
  if (thread === 0) return 0;
  try {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, "utf8");
    // The program's name is in parentheses and may contain spaces. utime and stime are the fields 14 and 15 (proc(5)).
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) / TICKS;
  } catch {
    return 0; // the thread has ended
  }
}
