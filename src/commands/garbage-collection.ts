import { setFlagsFromString } from "node:v8";

/**
 * V8 collects old garbage only when there is three times as much of it as of what is alive: beside 35 MB that lasted, 100 MB of
 * garbage. Collected at half as much as is alive, the process takes a third less memory.
 */
const GARBAGE_PERCENT = 50;

/**
 * Adapts the collection of garbage to a server, in all threads. Call it before much has run.
 *
 * Where V8 has seen objects last, it allocates the next ones among the old ("pretenuring"). In a server, all objects
 * last as long as their request: a collection during a busy moment sees most of them. Then all later requests become
 * old garbage, with what they refer to, and the server takes up to twice as long for each.
 */
export function tuneGarbageCollection(): void {
  setFlagsFromString(`--heap-growing-percent=${GARBAGE_PERCENT}`);
  setFlagsFromString("--no-allocation-site-pretenuring");
}
