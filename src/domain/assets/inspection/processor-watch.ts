import { Worker } from "node:worker_threads";

/** Ends this process when one task takes too much processor time. */
interface ProcessorWatch {
  begin(): void;
  end(): void;
}

/**
 * Code of a separate thread that checks the processor time of the whole process. The task itself may block its own
 * thread.
 */
const watcher = `
  const { workerData: { state, limit } } = require("node:worker_threads");
  let piece = 0;
  let before = 0;
  setInterval(() => {
    const { user, system } = process.cpuUsage();
    const used = (user + system) / 1e6;
    const now = Atomics.load(state, 0);
    if (now !== piece) [piece, before] = [now, used];
    else if (now % 2 === 1 && used - before > limit) process.kill(process.pid, "SIGXCPU");
  }, 50);
`;

/**
 * @param seconds processor time per task. A task that takes longer ends the process, with the same signal as the limit
 * of the operating system
 */
export function watchProcessorTime(seconds: number): ProcessorWatch {
  const state = new Int32Array(new SharedArrayBuffer(4)); // odd while a task is running
  new Worker(watcher, { eval: true, workerData: { state, limit: seconds } }).unref();
  const next = () => void Atomics.add(state, 0, 1);
  return { begin: next, end: next };
}
