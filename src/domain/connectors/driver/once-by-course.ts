import { memoized } from "#foundation/concurrency/memoized.js";
import type { Scope } from "./driver.js";

/** Number of cached courses. It is greater than the number of courses that are read concurrently. */
const MAX_CACHED = 64;

/** Caches the result for each course. Failures are not cached. */
export function onceByCourse<T>(read: (scope: Scope) => Promise<T>): (scope: Scope) => Promise<T> {
  return memoized(read, { keyOf: ({ contextKey }) => contextKey, limit: MAX_CACHED });
}
