import type { Scope } from "./driver.js";

/** Courses of which facts are remembered. So many are read at a time, and more. */
const REMEMBERED = 64;

/** Returns what reads each course once while its pages are read, and again if that has failed. */
export function onceByCourse<T>(read: (scope: Scope) => Promise<T>): (scope: Scope) => Promise<T> {
  return onceByKey(read, ({ contextKey }) => contextKey, REMEMBERED);
}

/**
 * Returns what reads each thing once, and again if that has failed.
 * @param limit number of results that are remembered; the oldest is forgotten first
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
