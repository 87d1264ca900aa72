import { setTimeout } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Creates a value. Returns it with the number of bytes by which the heap has grown while only the value is referenced.
 */
export function heapGrowth<Made>(make: () => Made): { made: Made; size: number } {
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  const made = make();
  collectGarbage();
  return { made, size: process.memoryUsage().heapUsed - before };
}

/**
 * Returns the number of bytes that are referenced, including those of buffers outside the heap. Waits until the number
 * no longer falls, because other threads release buffers.
 */
export async function keptBytes(): Promise<number> {
  for (let least = Number.POSITIVE_INFINITY; ; ) {
    collectGarbage();
    await setTimeout(50);
    const { heapUsed, external } = process.memoryUsage();
    if (heapUsed + external >= least) return least;
    least = heapUsed + external;
  }
}

function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
}
