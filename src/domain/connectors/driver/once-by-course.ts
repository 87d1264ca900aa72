import type { Scope } from "./driver.js";

/** Maximum number of courses whose facts are cached; more than are read concurrently. */
const REMEMBERED = 64;

/** Returns a function that reads each course once while its pages are read, and again if reading failed. */
export function onceByCourse<T>(read: (scope: Scope) => Promise<T>): (scope: Scope) => Promise<T> {
  return onceByKey(read, ({ contextKey }) => contextKey, REMEMBERED);
}

/**
 * Returns a function that reads each thing once, and again if reading failed.
 * @param limit maximum number of cached results; the oldest is removed first
 */
export function onceByKey<Thing, T>(
  read: (thing: Thing) => Promise<T>,
  keyOf: (thing: Thing) => string,
  limit: number,
): (thing: Thing) => Promise<T> {
  const known = new Map<string, Promise<T>>();
  return (thing) => {
    const key = keyOf(thing);
    const remembered = known.get(key);
    if (remembered) return remembered;
    const reading = read(thing);
    known.set(key, reading);
    reading.catch(() => known.delete(key));
    const [oldest] = known.keys();
    if (known.size > limit && oldest !== undefined) known.delete(oldest);
    return reading;
  };
}
