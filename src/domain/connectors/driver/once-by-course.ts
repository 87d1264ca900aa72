import type { Scope } from "./driver.js";

/** Number of cached courses. It is greater than the number of courses that are read concurrently. */
const REMEMBERED = 64;

/** Caches the result for each course. Failures are not cached. */
export function onceByCourse<T>(read: (scope: Scope) => Promise<T>): (scope: Scope) => Promise<T> {
  return onceByKey(read, ({ contextKey }) => contextKey, REMEMBERED);
}

/**
 * Caches results, but not failures. @param limit maximum number of cached results; the oldest result is removed first
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
