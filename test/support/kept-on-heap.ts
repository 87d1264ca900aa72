import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Makes something, and says how many bytes of the heap are kept once what was made is all that is needed. */
export function heapGrowth<Made>(make: () => Made): { made: Made; size: number } {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc");
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  const made = make();
  collectGarbage();
  return { made, size: process.memoryUsage().heapUsed - before };
}
