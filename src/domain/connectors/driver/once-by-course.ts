import type { Scope } from "./driver.js";

/** Number of cached courses. It is greater than the number of courses that are read concurrently. */
const MAX_CACHED = 64;

/** Caches the result for each course. Failures are not cached. */
export function onceByCourse<T>(read: (scope: Scope) => Promise<T>): (scope: Scope) => Promise<T> {
  return onceByKey(read, ({ contextKey }) => contextKey, MAX_CACHED);
}

/**
 * Caches results, but not failures.
 * @param limit maximum number of cached results; the oldest result is removed first
 */
export function onceByKey<Thing, T>(
  read: (thing: Thing) => Promise<T>,
  keyOf: (thing: Thing) => string,
  limit: number,
): (thing: Thing) => Promise<T> {
  const readings = new Map<string, Promise<T>>();
  return (thing) => {
    const key = keyOf(thing);
    const remembered = readings.get(key);
    if (remembered) return remembered;
    const reading = read(thing);
    readings.set(key, reading);
    reading.catch(() => readings.delete(key));
    const [oldest] = readings.keys();
    if (readings.size > limit && oldest !== undefined) readings.delete(oldest);
    return reading;
  };
}
