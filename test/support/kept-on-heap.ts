import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Creates a value. Returns it with the number of bytes by which the heap has grown while only the value is referenced.
 */
export function heapGrowth<Made>(make: () => Made): { made: Made; size: number } {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc");
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  const made = make();
  collectGarbage();
  return { made, size: process.memoryUsage().heapUsed - before };
}
